import { Module } from '@nestjs/common';
import { RateLimitingModule } from '../rate-limiting/rate-limiting.module.js';
import { PictureEncoder } from './picture-encoder.service.js';

/** Encodes uploaded pictures. */
@Module({ imports: [RateLimitingModule], providers: [PictureEncoder], exports: [PictureEncoder] })
export class PicturesModule {}
