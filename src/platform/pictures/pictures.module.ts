import { Module } from '@nestjs/common';
import { RateLimitingModule } from '../rate-limiting/rate-limiting.module.js';
import { PictureEncoderService } from './picture-encoder.service.js';

/** Encodes uploaded pictures. */
@Module({ imports: [RateLimitingModule], providers: [PictureEncoderService], exports: [PictureEncoderService] })
export class PicturesModule {}
