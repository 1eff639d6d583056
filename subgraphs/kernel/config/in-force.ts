import { redactUri } from '../database/uri.ts';
import { redactUrls } from '../log/redact.ts';
import { keysOf } from '../objects.ts';
import { type Config, givenSettings } from './load.ts';
import { isSecret, SETTINGS, type SettingName } from './schema.ts';

/**
 * Where the value of a setting is from: GIVEN by the environment; DEFAULT, the product's own, or none; GENERATED, a secret that
 * nobody gave, outside production.
 */
export const SETTING_SOURCES = ['GIVEN', 'DEFAULT', 'GENERATED'] as const;
export type SettingSource = (typeof SETTING_SOURCES)[number];

/** A setting as it is in force in a process. */
export interface SettingInForce {
  readonly name: string;
  /** null: it is unset, or a secret. Of an address only scheme, host and port. A list has commas. */
  readonly value: string | null;
  readonly source: SettingSource;
  readonly isSecret: boolean;
}

/** Every setting in force, in the order of their documentation. Of secrets only where they are from. */
export function settingsInForce(config: Config): SettingInForce[] {
  const given = givenSettings(config);
  return keysOf(SETTINGS).map((name) => {
    const isGenerated = isSecret(name) && !isUnset(config[name]);
    const otherwise = isGenerated ? 'GENERATED' : 'DEFAULT';
    return {
      name,
      value: textOf(name, config[name]),
      source: given.has(name) ? 'GIVEN' : otherwise,
      isSecret: isSecret(name),
    };
  });
}

/**
 * The configuration for the log. For secrets it shows only whether they are set, for URLs only scheme, host and port.
 */
export function summarize(config: Config): Record<string, unknown> {
  return Object.fromEntries(keysOf(SETTINGS).map((name) => [name, summarizeValue(name, config[name])]));
}

function summarizeValue(name: SettingName, value: unknown): unknown {
  if (isSecret(name)) {
    return isUnset(value) ? '[unset]' : (textOf(name, value) ?? '[set]');
  }
  return typeof value === 'string' ? redactUrls(value) : value;
}

function textOf(name: SettingName, value: unknown): string | null {
  if (value === undefined) {
    return null;
  }
  if (name === 'MONGODB_URI') {
    return redactUri(String(value));
  }
  // Each of a list by itself: a comma may be part of an address.
  return isSecret(name)
    ? null
    : [value]
        .flat()
        .map((one) => redactUrls(String(one)))
        .join(',');
}

function isUnset(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}
