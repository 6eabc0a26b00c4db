import { describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { ApiValidationPipe } from '../../src/platform/http/api-validation.pipe.js';

class OptionalQuery {
  @IsInt()
  limit: number = 100;

  @IsOptional()
  @IsString()
  name?: string;
}

class RequiredQuery {
  @IsString()
  name!: string;
}

describe('Validation of an empty query', () => {
  const pipe = new ApiValidationPipe();
  const transform = (value: object, metatype: Type<object>): Promise<unknown> =>
    pipe.transform(value, { type: 'query', metatype });

  it('returns a new object with the defaults each time', async () => {
    const [first, second, third] = [
      await transform({}, OptionalQuery),
      await transform({}, OptionalQuery),
      await transform({}, OptionalQuery),
    ];
    for (const query of [first, second, third]) {
      expect(query).toBeInstanceOf(OptionalQuery);
      expect(query).toEqual({ limit: 100 });
    }
    expect(new Set([first, second, third]).size).toBe(3);
  });

  it('rejects a missing parameter each time', async () => {
    await transform({ name: 'fox' }, RequiredQuery);
    for (let time = 0; time < 3; time++) {
      await expect(transform({}, RequiredQuery)).rejects.toThrow('name is missing.');
    }
  });

  it('still rejects unknown parameters after an empty query', async () => {
    await transform({}, OptionalQuery);
    await expect(transform({ colour: 'red' }, OptionalQuery)).rejects.toThrow('Unknown parameter: colour.');
  });
});
