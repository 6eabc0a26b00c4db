import { IsOptional } from 'class-validator';
import { IsInteger } from '../../../platform/validation/numbers.decorator.js';
import { IsText } from '../../../platform/validation/text.decorator.js';
import { EditWriteResponse } from '../edit.dto.js';
import {
  ApiSchema,
  InlineApiSchema,
  RequestField,
  ResponseField,
} from '../../../platform/openapi/api-schema.decorator.js';
import { integerSchema, stringSchema } from '../../../platform/openapi/json-schema.js';
import { MAX_VERSION } from '../edit.entity.js';

/** Decision of a reviewer, with an optional comment. */
@ApiSchema('EditDecision', 'What a reviewer may say.')
export class EditDecision {
  @RequestField('What its author is told.', 'Seen it.')
  @IsOptional()
  @IsText(0, 1000)
  comment?: string | null;
}

/** Acceptance of an edit. */
@ApiSchema('AcceptEditRequest', 'What a reviewer may say, and what they saw.')
export class AcceptEditRequest extends EditDecision {
  @RequestField('The version of the target that the reviewer saw.', 1)
  @IsOptional()
  @IsInteger(1, MAX_VERSION)
  expectedTargetVersion?: number | null;
}

/** Rejection of an edit. The comment is required, because the author must learn the reason. */
@ApiSchema('RejectEditRequest', 'Why not.')
export class RejectEditRequest {
  @RequestField('Why: who is told no must learn it.', 'An advertisement.')
  @IsText(3, 1000)
  comment!: string;
}

/** Version of a target after a decision. */
@InlineApiSchema('What was changed.')
export class TargetVersion {
  @ResponseField(stringSchema('Its id.', 'mrk_01JDEM00000000000000000010'))
  id!: string;

  @ResponseField(integerSchema('The version that it is at now.', 5, 1))
  version!: number;
}

/** Response to the rejection of an edit. */
@ApiSchema('RejectEditResponse', 'What came of rejecting.')
export class RejectEditResponse {
  @ResponseField(EditWriteResponse)
  edit!: EditWriteResponse;
}

/** Response to the acceptance of an edit. */
@ApiSchema('AcceptEditResponse', 'What came of accepting.')
export class AcceptEditResponse extends RejectEditResponse {
  @ResponseField(TargetVersion)
  target!: TargetVersion;
}

/** Response to the reversion of an edit: `revertEdit` is the new edit with the inverse change. */
@ApiSchema('RevertEditResponse', 'What came of reverting.')
export class RevertEditResponse extends AcceptEditResponse {
  @ResponseField(EditWriteResponse)
  revertEdit!: EditWriteResponse;
}
