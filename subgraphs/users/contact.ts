/** A person that a user asks for money: RequestToParams of document 1, the phone number in E.164. */
export interface ContactInput {
  phoneNumber: string;
  firstName?: string;
  lastName?: string;
  email?: string;
  /** ISO 3166-1 alpha-2 */
  countryCode?: string;
}

/** How ids of contacts begin. */
export const CONTACT_ID = 'con_';

/** A contact of a user, unsealed. */
export interface ContactRecord extends ContactInput {
  contactId: string;
  userId: string;
  /** Requests for money to this contact. */
  requests: number;
  lastRequestedAt?: Date;
  createdAt: Date;
}
