/** The reader and the writer of Bruno's files; the package has no types of its own. */
declare module '@usebruno/lang' {
  /** A request as its file has it. */
  export interface BruRequest {
    readonly meta: { readonly name: string; readonly type: 'http'; readonly seq: number | string };
    readonly http: {
      readonly method: string;
      readonly url: string;
      readonly body: 'json' | 'none';
      readonly auth: 'none';
    };
    readonly headers?: readonly BruField[];
    readonly params?: readonly (BruField & { readonly type: 'query' | 'path' })[];
    readonly body?: { readonly json: string };
    readonly docs?: string;
  }

  export interface BruField {
    readonly name: string;
    readonly value: string;
    readonly enabled: boolean;
  }

  export interface BruEnvironment {
    readonly variables: readonly (BruField & { readonly secret: boolean })[];
  }

  export function jsonToBruV2(request: BruRequest): string;
  /** @throws where the text is not of the language */
  export function bruToJsonV2(text: string): BruRequest;
  export function envJsonToBruV2(environment: BruEnvironment): string;
  export function bruToEnvJsonV2(text: string): BruEnvironment;
}
