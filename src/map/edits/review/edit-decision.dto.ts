import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { IsInteger } from '../../../platform/validation/members.decorator.js';
import { IsText } from '../../../platform/validation/text.decorator.js';
import { EditWriteResponse } from '../edit.dto.js';
import {
  ApiSchema,
  OptionalResponseField,
  RequestField,
  ResponseField,
} from '../../../platform/openapi/api-schema.decorator.js';
import { arraySchema, enumSchema, integerSchema, stringSchema } from '../../../platform/openapi/json-schema.js';
import { MAX_VERSION } from '../edit.entity.js';

/** Decision of a reviewer, with an optional comment. */
@ApiSchema('EditDecision', 'The decision of a reviewer, with an optional comment.')
export class EditDecision {
  @RequestField('Comment for the author of the edit: up to 1,000 characters.', 'Seen it.')
  @IsOptional()
  @IsText(0, 1000)
  comment?: string | null;
}

/** Acceptance of an edit. */
@ApiSchema('AcceptEditRequest', 'The acceptance of an edit.')
export class AcceptEditRequest extends EditDecision {
  @RequestField(
    'Version of the target that the reviewer saw. If the target has another version, the response is 409.',
    1,
  )
  @IsOptional()
  @IsInteger(1, MAX_VERSION)
  expectedTargetVersion?: number | null;
}

/** Rejection of an edit. The comment is required, because the author must learn the reason. */
@ApiSchema('RejectEditRequest', 'The rejection of an edit.')
export class RejectEditRequest {
  @RequestField('Reason for the rejection, for the author of the edit: 3 to 1,000 characters.', 'An advertisement.')
  @IsText(3, 1000)
  comment!: string;
}

/** Version of a target after a decision. */
@ApiSchema('TargetVersion', 'The id and the version of the target of an edit.')
export class TargetVersion {
  @ResponseField(stringSchema('Id of the artwork or artist.', 'mrk_01JDEM00000000000000000010'))
  id!: string;

  @ResponseField(integerSchema('Version of the target after the decision.', 5, 1))
  version!: number;
}

/** Response to the rejection of an edit. */
@ApiSchema('RejectEditResponse', 'The result of a rejection.')
export class RejectEditResponse {
  @ResponseField({ dto: EditWriteResponse, description: 'The edit after the decision.' })
  edit!: EditWriteResponse;
}

/** Response to the acceptance of an edit. */
@ApiSchema('AcceptEditResponse', 'The result of an acceptance.')
export class AcceptEditResponse extends RejectEditResponse {
  @ResponseField({ dto: TargetVersion, description: 'The target after the decision.' })
  target!: TargetVersion;
}

/** Response to the revert of an edit: `revertEdit` is the new edit with the inverse change. */
@ApiSchema('RevertEditResponse', 'The result of a revert.')
export class RevertEditResponse extends AcceptEditResponse {
  @ResponseField({ dto: EditWriteResponse, description: 'The new edit, with the inverse change.' })
  revertEdit!: EditWriteResponse;
}

/** Decisions that can be taken on many edits at once. */
const BULK_DECISIONS = ['reject', 'revert'] as const;

/** The same decision on many edits. */
@ApiSchema('DecideEditsRequest', 'The same decision on many edits.')
export class DecideEditsRequest {
  @RequestField('Ids of edits: 1 to 100. An id that is repeated is decided once.', ['edt_01JDEM00000000000000000013'])
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @IsString({ each: true })
  ids!: string[];

  @RequestField('`reject` closes open edits, `revert` undoes accepted ones.', 'reject')
  @IsIn(BULK_DECISIONS)
  decision!: (typeof BULK_DECISIONS)[number];

  @RequestField(
    'Comment for the authors of the edits: up to 1,000 characters. With `reject` it is required: 3 or more.',
    'An advertisement.',
  )
  @IsOptional()
  @IsText(0, 1000)
  comment?: string | null;
}

/** What became of one edit: its status, or the error that the single decision would have. */
@ApiSchema('DecideEditsItem', 'The result of one decision: `status`, or the members of an error.')
export class DecideEditsItem {
  @ResponseField(stringSchema('Id, as it was sent.', 'edt_01JDEM00000000000000000013'))
  id!: string;

  @OptionalResponseField(enumSchema(['rejected', 'reverted'], 'Status of the edit after the decision.', 'rejected'))
  status?: 'rejected' | 'reverted';

  @OptionalResponseField(stringSchema('Message for the developer, if the edit was not decided.', 'This edit is open.'))
  error?: string;

  @OptionalResponseField(stringSchema('Code of the error.', 'edit_not_open'))
  code?: string;

  @OptionalResponseField(stringSchema('Why the person may not decide on the edit.', 'own_edit'))
  reason?: string;
}

/** Response to a decision on many edits. */
@ApiSchema('DecideEditsResponse', 'The results of a decision on many edits.')
export class DecideEditsResponse {
  @ResponseField(arraySchema(DecideEditsItem, 'Results, in the order of the first occurrence of each id.'))
  data!: DecideEditsItem[];
}
