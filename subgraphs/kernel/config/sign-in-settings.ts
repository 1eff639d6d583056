import { z } from 'zod';
import { cidrList, httpsUrl, text } from './values.ts';

const ROLES = /^[^=,]+=(viewer|operator)(,[^=,]+=(viewer|operator))*$/;

/** Settings of sign-in to the console by OpenID Connect. Those of partners are part of each partner's record. */
export const SIGN_IN_SETTINGS = {
  CONSOLE_SIGN_IN_ALLOWED_CIDRS: {
    type: cidrList.default([]),
    description:
      'Private, loopback and link-local CIDR blocks in which OpenID Connect providers are allowed; empty for none',
  },
  CONSOLE_SIGN_IN_CA_FILE: {
    type: text.optional(),
    description: 'PEM file of additional certificate authorities for OpenID Connect providers',
  },
  PLATFORM_SIGN_IN_ISSUER: {
    type: httpsUrl.refine((value) => !/[?#]/.test(value), 'must not have a query or a fragment').optional(),
    description:
      "HTTPS URL of the OpenID Connect provider by which the platform's operators sign in to the console; requires the client and the roles",
  },
  PLATFORM_SIGN_IN_CLIENT_ID: { type: text.optional(), description: 'Client id at that provider' },
  PLATFORM_SIGN_IN_CLIENT_SECRET: {
    type: text.min(8, 'must have at least 8 characters').optional(),
    description: 'Client secret at that provider, at least 8 characters',
    secret: true,
  },
  PLATFORM_SIGN_IN_SCOPE: {
    type: text.default('openid profile email'),
    description: 'Scopes that the sign-in requests from that provider',
  },
  PLATFORM_SIGN_IN_CLAIM: {
    type: text.default('roles'),
    description: 'Claim of the ID token that gives the role: a text or a list of texts',
  },
  PLATFORM_SIGN_IN_ROLES: {
    type: z
      .string()
      .regex(ROLES, 'must be value=role, separated by commas, with viewer and operator')
      .optional(),
    description:
      'Role for each value of the claim, such as `console=viewer,on-call=operator`; other people are refused',
  },
} as const;
