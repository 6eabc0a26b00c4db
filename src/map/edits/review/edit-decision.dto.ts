import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { IsText } from '../../../platform/validation/text.decorator.js';
import type { EditWriteResponse } from '../edit.dto.js';
import { MAX_VERSION } from '../edit.entity.js';

/** Decision of a reviewer, with an optional comment. */
export class EditDecision {
  @IsOptional()
  @IsText(0, 1000)
  comment?: string | null;
}

/** Acceptance of an edit. */
export class AcceptEditRequest extends EditDecision {
  /** The version of the target that the reviewer saw. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_VERSION)
  expectedTargetVersion?: number | null;
}

/** Rejection of an edit. The comment is required, because the author must learn the reason. */
export class RejectEditRequest {
  @IsText(3, 1000)
  comment!: string;
}

/** Version of a target after a decision. */
export interface TargetVersion {
  id: string;
  version: number;
}

/** Response to the rejection of an edit. */
export interface RejectEditResponse {
  edit: EditWriteResponse;
}

/** Response to the acceptance of an edit. */
export interface AcceptEditResponse extends RejectEditResponse {
  target: TargetVersion;
}

/** Response to the reversion of an edit: `revertEdit` is the new edit with the inverse change. */
export interface RevertEditResponse extends AcceptEditResponse {
  revertEdit: EditWriteResponse;
}
