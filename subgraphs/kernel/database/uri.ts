/**
 * Scheme, user information, hosts, database and query of a MongoDB connection string; several hosts make it no URL.
 * As in the driver, whatever stands before the first `@` is user information, even if it should have been escaped.
 */
const PARTS = /^(mongodb(?:\+srv)?:\/\/)(?:([^@]*)@|(?!.*@))([^/?@]*)(?:\/([^?@]*))?(?:\?(.*))?$/s;

interface UriParts {
  readonly scheme: string;
  /** `user:password`, or empty. */
  readonly userInfo: string;
  readonly hosts: string;
  /** Decoded; empty when the URI names none. */
  readonly database: string;
  readonly options: URLSearchParams;
}

function parse(uri: string): UriParts | undefined {
  const match = PARTS.exec(uri);
  if (match === null) {
    return undefined;
  }
  const [, scheme = '', userInfo = '', hosts = '', database = '', query = ''] = match;
  return { scheme, userInfo, hosts, database: decode(database), options: new URLSearchParams(query) };
}

/** The URI without its secrets: user information and options. */
export function redactUri(uri: string): string {
  const parts = parse(uri);
  if (parts === undefined) {
    return 'mongodb://***';
  }
  const { scheme, userInfo, hosts, database } = parts;
  return `${scheme}${userInfo === '' ? '' : '***@'}${hosts}${database === '' ? '' : `/${database}`}`;
}

/** Removes everything secret of `uri` from a text that may quote it, such as a driver's error message. */
export function redactText(text: string, uri: string): string {
  const parts = parse(uri);
  if (parts === undefined) {
    return 'it is not a well-formed connection string (reserved characters in a password must be percent-encoded)';
  }
  const password = parts.userInfo.slice(parts.userInfo.indexOf(':') + 1);
  const values = [...parts.options].filter(([name]) => SECRET_OPTION.test(name)).map(([, value]) => value);
  return [parts.userInfo, password, decode(password), ...values]
    .filter((secret) => secret !== '')
    .sort((a, b) => b.length - a.length)
    .reduce((result, secret) => result.replaceAll(secret, '***'), text.replaceAll(uri, redactUri(uri)));
}

const SECRET_OPTION = /password|authMechanismProperties/i;

/** The database that the URI names, if it does. */
export function databaseOf(uri: string): string | undefined {
  return parse(uri)?.database || undefined;
}

/** The value of an option that the URI sets, in any case of letters; undefined if it does not set it. */
export function optionOf(uri: string, option: string): string | undefined {
  const wanted = option.toLowerCase();
  return [...(parse(uri)?.options ?? [])].find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** Whether the URI sets the option, in any case of letters. */
export function setsOption(uri: string, option: string): boolean {
  return optionOf(uri, option) !== undefined;
}

const STALE = 'a secondary may answer with statuses that have changed since';
const LOST = 'an acknowledged payment must survive the loss of a member';
const POWER_CUT = 'an acknowledged payment must survive a power cut';
const UNKNOWN_OUTCOME = 'a write that fails by this time-out may have happened';
const RACES = 'each read chooses its own: after a lost race it must see the write of the winner';

/** Options, in lower case, whose only acceptable value is this one; null: the URI must not set the option. */
const ONLY: ReadonlyMap<string, readonly [value: string | null, because: string]> = new Map([
  ['readpreference', ['primary', STALE]],
  ['readpreferencetags', [null, STALE]],
  ['maxstalenessseconds', [null, STALE]],
  ['readconcernlevel', ['local', RACES]],
  ['w', ['majority', LOST]],
  ['journal', ['true', POWER_CUT]],
  ['j', ['true', POWER_CUT]],
  ['wtimeoutms', [null, UNKNOWN_OUTCOME]],
  ['wtimeout', [null, UNKNOWN_OUTCOME]],
]);

/** @returns for each option of the URI that contradicts what the product promises, the reason and the fix */
export function contradictionsOf(uri: string): string[] {
  return [...(parse(uri)?.options ?? [])].flatMap(([name, value]) => {
    const [only, because] = ONLY.get(name.toLowerCase()) ?? [];
    if (because === undefined || value.toLowerCase() === only) {
      return [];
    }
    const fix = only == null ? 'Remove it.' : `Remove it, or write ${name}=${only}.`;
    return [`sets ${name}, but ${because}. ${fix}`];
  });
}

/**
 * The same URI for another database. Credentials are checked against the same database as before: the one the URI
 * named, or `admin`; naming a database in a URI would otherwise change that. A malformed URI comes back as it is.
 */
export function withDatabase(uri: string, database: string): string {
  const parts = parse(uri);
  if (parts === undefined) {
    return uri;
  }
  const { scheme, userInfo, hosts, database: before, options } = parts;
  const mechanism = options.get('authMechanism') ?? 'SCRAM';
  if (userInfo !== '' && !setsOption(uri, 'authSource') && mechanism.startsWith('SCRAM')) {
    options.set('authSource', before || 'admin');
  }
  const query = options.size === 0 ? '' : `?${options}`;
  const credentials = userInfo === '' ? '' : `${userInfo}@`;
  return `${scheme}${credentials}${hosts}/${encodeURIComponent(database)}${query}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the driver will reject the URI; here it is only compared.
    return text;
  }
}
