// These decorators replace class-validator, whose memory the supervisor of the workers would keep.

interface SettingRule {
  /** Follows the name of the setting in an error. */
  rule: string;
  /** Returns the value; undefined if the text is invalid. */
  parse: (text: string) => unknown;
}

/** The rules of all settings by their names, in the order of their declarations. */
export const SETTING_RULES: ReadonlyMap<string, SettingRule> = new Map();

/** Declares a property of `Settings` as a setting. */
export function Setting(rule: string, parse: (text: string) => unknown): PropertyDecorator {
  return (_settings, name) => void (SETTING_RULES as Map<string, SettingRule>).set(String(name), { rule, parse });
}

/** A text that fulfills `isValid`. */
export function TextSetting(rule = '', isValid: (text: string) => boolean = () => true): PropertyDecorator {
  return Setting(rule, (text) => (isValid(text) ? text : undefined));
}

/** An integer in digits. */
export function IntegerSetting(min: number, max: number, rule: string): PropertyDecorator {
  return Setting(rule, (text) => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : NaN;
    return value >= min && value <= max ? value : undefined;
  });
}

/** One of at least two values. */
export function ChoiceSetting(...values: string[]): PropertyDecorator {
  const rule = `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  return TextSetting(rule, (text) => values.includes(text));
}
