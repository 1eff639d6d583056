import type { PaymentAction, VerdictCause, VerdictDetail } from '../../graph/verdict.ts';

/** The languages of verdicts. */
export type Language = 'EN' | 'ES';

/**
 * The sentence of each cause. Placeholders: `{since}` and `{at}` the moment of the state ("since Tuesday", "on Tuesday"),
 * `{until}` the time that is left ("in 3 days"), `{reason}`. A part in brackets is left out when a placeholder of it has no
 * value.
 */
export const SENTENCES: Readonly<Record<Language, Readonly<Record<VerdictCause, string>>>> = {
  EN: {
    WAITING_FOR_PAYER: 'Waiting for the payer {since}[; expires {until}].',
    PAYER_IGNORED: 'The payer has ignored the request {since}.',
    WAITING_FOR_PAYMENT: 'The payer agreed {at} and has not paid yet.',
    PAYING: 'The payer has been paying {since}.',
    PAID: 'The payer paid {at}; the payout starts next.',
    PAYOUT_UNDER_WAY: 'The payout has been under way {since}.',
    CASH_READY: 'The cash has been ready for pick-up {since}.',
    UNDER_REVIEW: 'Held for review by the platform {since}[: {reason}].',
    COMPLETED: 'Paid out {at}.',
    CARD_DECLINED:
      "Failed {at}: the payer's card was declined, and the payer was not charged. This payment has ended; another card works only for a new request.",
    CARD_EXPIRED:
      "Failed {at}: the payer's card has expired, and the payer was not charged. This payment has ended; another card works only for a new request.",
    INSUFFICIENT_FUNDS: 'Failed {at}: the payer did not have enough money, and was not charged.',
    REJECTED: 'Rejected {at}[: {reason}].',
    PAYMENT_FAILED: 'The payment failed {at}[: {reason}]. No money arrived.',
    PAYOUT_FAILED: 'The payer paid, and the payout failed {at}[: {reason}].',
    EXPIRED: 'Expired {at}: the payer did not pay in time.',
    CANCELLED_BY_PARTNER: 'Cancelled {at} by the partner.',
    CANCELLED: 'Cancelled {at}[: {reason}].',
    CHECKING_IDENTITY: 'Checking the identity of the customer {since}.',
    SAVING_CONTACT: 'Saving the payer as a contact {since}.',
    CHECKING_PAYOUT_METHOD: 'Checking the payout method {since}.',
    ASKING_PAYER: 'Asking the payer for the money {since}.',
    RETRYING:
      'An attempt failed[: {reason}]. The platform tries again[ {until}]. Do not request the money again meanwhile.',
    UNANSWERED: 'The provider gave no answer {at}.',
    WITHDRAWING: 'The payer may have been asked. The platform has been withdrawing the request {since}.',
    PAYER_MAY_HAVE_BEEN_ASKED: 'Failed {at}; the payer may have been asked, or may have paid.',
    WITHDRAWN: 'Failed {at}. The request was withdrawn from the payer.',
    IDENTITY_NOT_VERIFIED:
      'Failed {at}: the identity of the customer is not verified. The payer was not asked.',
    USER_BLOCKED: 'Failed {at}: the customer is blocked[ ({reason})]. The payer was not asked.',
    PAYOUT_METHOD_REFUSED:
      'Failed {at}: the card or account for the payout was not accepted[ ({reason})]. The payer was not asked.',
    PROVIDER_UNAVAILABLE: 'Failed {at}: a provider did not answer in time. The payer was not asked.',
    ENDED_BY_OPERATOR: 'Ended {at} by the platform.',
    ALREADY_COMPLETED: 'Failed {at}: the provider has completed a request with this id.',
    REFUSED: 'Failed {at}[: {reason}].',
  },
  ES: {
    WAITING_FOR_PAYER: 'En espera del pagador {since}[; vence {until}].',
    PAYER_IGNORED: 'El pagador ignora la solicitud {since}.',
    WAITING_FOR_PAYMENT: 'El pagador aceptó {at} y todavía no ha pagado.',
    PAYING: 'El pagador está pagando {since}.',
    PAID: 'El pagador pagó {at}; ahora empieza el desembolso.',
    PAYOUT_UNDER_WAY: 'El desembolso está en curso {since}.',
    CASH_READY: 'El efectivo está listo para retirar {since}.',
    UNDER_REVIEW: 'Retenido por la plataforma para revisión {since}[: {reason}].',
    COMPLETED: 'Desembolsado {at}.',
    CARD_DECLINED:
      'Falló {at}: la tarjeta del pagador fue rechazada y no se le cobró nada. Este pago terminó; otra tarjeta solo sirve para una solicitud nueva.',
    CARD_EXPIRED:
      'Falló {at}: la tarjeta del pagador está vencida y no se le cobró nada. Este pago terminó; otra tarjeta solo sirve para una solicitud nueva.',
    INSUFFICIENT_FUNDS: 'Falló {at}: el pagador no tenía fondos suficientes y no se le cobró nada.',
    REJECTED: 'Rechazado {at}[: {reason}].',
    PAYMENT_FAILED: 'El pago falló {at}[: {reason}]. No llegó dinero.',
    PAYOUT_FAILED: 'El pagador pagó y el desembolso falló {at}[: {reason}].',
    EXPIRED: 'Venció {at}: el pagador no pagó a tiempo.',
    CANCELLED_BY_PARTNER: 'Cancelado {at} por el socio.',
    CANCELLED: 'Cancelado {at}[: {reason}].',
    CHECKING_IDENTITY: 'La identidad del cliente está en verificación {since}.',
    SAVING_CONTACT: 'El pagador se está guardando como contacto {since}.',
    CHECKING_PAYOUT_METHOD: 'El método de cobro está en verificación {since}.',
    ASKING_PAYER: 'La solicitud al pagador está en curso {since}.',
    RETRYING:
      'Un intento falló[: {reason}]. La plataforma lo intenta otra vez[ {until}]. Mientras tanto, no solicite el dinero otra vez.',
    UNANSWERED: 'El proveedor no respondió {at}.',
    WITHDRAWING:
      'Es posible que ya se haya pedido el dinero al pagador. La plataforma está retirando la solicitud {since}.',
    PAYER_MAY_HAVE_BEEN_ASKED:
      'Falló {at}; es posible que ya se haya pedido el dinero al pagador, o que haya pagado.',
    WITHDRAWN: 'Falló {at}. La solicitud se retiró del pagador.',
    IDENTITY_NOT_VERIFIED:
      'Falló {at}: la identidad del cliente no está verificada. No se pidió nada al pagador.',
    USER_BLOCKED: 'Falló {at}: el cliente está bloqueado[ ({reason})]. No se pidió nada al pagador.',
    PAYOUT_METHOD_REFUSED:
      'Falló {at}: no se aceptó la tarjeta o cuenta de cobro[ ({reason})]. No se pidió nada al pagador.',
    PROVIDER_UNAVAILABLE: 'Falló {at}: un proveedor no respondió a tiempo. No se pidió nada al pagador.',
    ENDED_BY_OPERATOR: 'La plataforma terminó la solicitud {at}.',
    ALREADY_COMPLETED: 'Falló {at}: el proveedor ya completó una solicitud con este id.',
    REFUSED: 'Falló {at}[: {reason}].',
  },
};

/** The sentence of each detail, in place of that of its cause. */
export const DETAILS: Readonly<Record<Language, Readonly<Record<VerdictDetail, string>>>> = {
  EN: {
    HELD_BEFORE_PAYMENT:
      'Held for review by the platform {since}[: {reason}]. The money of the payer has not arrived.',
    HELD_AFTER_PAYMENT: 'Held for review by the platform {since}[: {reason}]. The payer has already paid.',
    RETRYING_BEFORE_PAYER:
      'An attempt failed[: {reason}]. The payer has not been asked yet. The platform tries again[ {until}]. Do not request the money again meanwhile.',
    IDENTITY_CHECK_FAILED:
      'Failed {at}: the customer did not pass the identity check. The payer was not asked.',
    IDENTITY_NOT_FOUND:
      'Failed {at}: the identity provider has no record of the customer. The payer was not asked.',
    LEVEL_ONE_MISSING:
      'Failed {at}: the customer must pass the identity check of level one first. The payer was not asked.',
    PAYOUT_CARD_REFUSED:
      'Failed {at}: the card for the payout was not accepted[ ({reason})]. The payer was not asked.',
    PAYOUT_ACCOUNT_REFUSED:
      'Failed {at}: the account for the payout was not accepted[ ({reason})]. The payer was not asked.',
  },
  ES: {
    HELD_BEFORE_PAYMENT:
      'Retenido por la plataforma para revisión {since}[: {reason}]. El dinero del pagador no ha llegado.',
    HELD_AFTER_PAYMENT: 'Retenido por la plataforma para revisión {since}[: {reason}]. El pagador ya pagó.',
    RETRYING_BEFORE_PAYER:
      'Un intento falló[: {reason}]. Todavía no se ha pedido nada al pagador. La plataforma lo intenta otra vez[ {until}]. Mientras tanto, no solicite el dinero otra vez.',
    IDENTITY_CHECK_FAILED:
      'Falló {at}: el cliente no superó la verificación de identidad. No se pidió nada al pagador.',
    IDENTITY_NOT_FOUND:
      'Falló {at}: el proveedor de identidad no tiene registro del cliente. No se pidió nada al pagador.',
    LEVEL_ONE_MISSING:
      'Falló {at}: el cliente debe superar primero la verificación de identidad de nivel uno. No se pidió nada al pagador.',
    PAYOUT_CARD_REFUSED:
      'Falló {at}: no se aceptó la tarjeta de cobro[ ({reason})]. No se pidió nada al pagador.',
    PAYOUT_ACCOUNT_REFUSED:
      'Falló {at}: no se aceptó la cuenta de cobro[ ({reason})]. No se pidió nada al pagador.',
  },
};

/** The sentence of each action, after that of the cause. Empty where the cause says it. */
export const ACTIONS: Readonly<Record<Language, Readonly<Record<PaymentAction, string>>>> = {
  EN: {
    WAIT: '',
    REPEAT_SAME_REQUEST: 'Your server must send the same request again with the same id.',
    REQUEST_AGAIN: 'Your server must send a new request with a new id.',
    CORRECT_AND_REQUEST_AGAIN: 'Your server must send a corrected request with a new id.',
    COMPLETE_IDENTITY_CHECK:
      'The customer must complete an identity check. Then your server must send a new request with a new id.',
    UNBLOCK_USER:
      'Decide whether to unblock the customer. If you do, your server must send a new request with a new id.',
    CONTACT_SUPPORT: 'Contact the support of the platform. Do not request the money again.',
    ASK_OPERATOR: 'Do not request the money again. For questions, contact the support of the platform.',
  },
  ES: {
    WAIT: '',
    REPEAT_SAME_REQUEST: 'Su servidor debe enviar la misma solicitud otra vez con el mismo id.',
    REQUEST_AGAIN: 'Su servidor debe enviar una solicitud nueva con un id nuevo.',
    CORRECT_AND_REQUEST_AGAIN: 'Su servidor debe enviar una solicitud corregida con un id nuevo.',
    COMPLETE_IDENTITY_CHECK:
      'El cliente debe completar la verificación de identidad. Después su servidor debe enviar una solicitud nueva con un id nuevo.',
    UNBLOCK_USER:
      'Decida si desbloquea al cliente. Si lo hace, su servidor debe enviar una solicitud nueva con un id nuevo.',
    CONTACT_SUPPORT: 'Contacte al soporte de la plataforma. No solicite el dinero otra vez.',
    ASK_OPERATOR: 'No solicite el dinero otra vez. Para preguntas, contacte al soporte de la plataforma.',
  },
};

/** After these ends nothing has to be done, but the money can be requested again. */
export const REPEATABLE: ReadonlySet<VerdictCause> = new Set([
  'EXPIRED',
  'CANCELLED',
  'CANCELLED_BY_PARTNER',
]);

/** The sentence after a repeatable end without an action. */
export const IF_NEEDED: Readonly<Record<Language, string>> = {
  EN: 'If the money is still needed, your server must send a new request with a new id.',
  ES: 'Si el dinero aún se necesita, su servidor debe enviar una solicitud nueva con un id nuevo.',
};
