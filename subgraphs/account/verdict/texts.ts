import type { PaymentAction, VerdictCause } from '../../graph/verdict.ts';

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
    UNDER_REVIEW: 'Held for review {since}[: {reason}].',
    COMPLETED: 'Paid out {at}.',
    CARD_DECLINED: "Failed {at}: the payer's card was declined. The payer can use another card.",
    CARD_EXPIRED: "Failed {at}: the payer's card has expired. The payer can use another card.",
    INSUFFICIENT_FUNDS: 'Failed {at}: the payer did not have enough money.',
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
      'An attempt failed[: {reason}]. The service tries again[ {until}]. Do not request the money again meanwhile.',
    UNANSWERED: 'The provider gave no answer {at}.',
    WITHDRAWING: 'The payer may have been asked. The service has been withdrawing the request {since}.',
    PAYER_MAY_HAVE_BEEN_ASKED: 'Failed {at}; the payer may have been asked, or may have paid.',
    WITHDRAWN: 'Failed {at}. The request was withdrawn from the payer.',
    IDENTITY_NOT_VERIFIED:
      'Failed {at}: the customer has not completed or not passed the identity check. The payer was not asked.',
    USER_BLOCKED: 'Failed {at}: the customer is blocked. The payer was not asked.',
    PAYOUT_METHOD_REFUSED:
      'Failed {at}: the card or account for the payout was not accepted[ ({reason})]. The payer was not asked.',
    PROVIDER_UNAVAILABLE: 'Failed {at}: a provider did not answer in time.',
    ENDED_BY_OPERATOR: 'Ended {at} by the operator of the service.',
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
    UNDER_REVIEW: 'Retenido para revisión {since}[: {reason}].',
    COMPLETED: 'Desembolsado {at}.',
    CARD_DECLINED: 'Falló {at}: la tarjeta del pagador fue rechazada. El pagador puede usar otra tarjeta.',
    CARD_EXPIRED: 'Falló {at}: la tarjeta del pagador está vencida. El pagador puede usar otra tarjeta.',
    INSUFFICIENT_FUNDS: 'Falló {at}: el pagador no tenía fondos suficientes.',
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
      'Un intento falló[: {reason}]. El servicio lo intenta otra vez[ {until}]. Mientras tanto, no solicite el dinero otra vez.',
    UNANSWERED: 'El proveedor no respondió {at}.',
    WITHDRAWING:
      'Es posible que ya se haya pedido el dinero al pagador. La solicitud se está retirando {since}.',
    PAYER_MAY_HAVE_BEEN_ASKED:
      'Falló {at}; es posible que ya se haya pedido el dinero al pagador, o que haya pagado.',
    WITHDRAWN: 'Falló {at}. La solicitud se retiró del pagador.',
    IDENTITY_NOT_VERIFIED:
      'Falló {at}: el cliente no ha completado o no ha superado la verificación de identidad. No se pidió nada al pagador.',
    USER_BLOCKED: 'Falló {at}: el cliente está bloqueado. No se pidió nada al pagador.',
    PAYOUT_METHOD_REFUSED:
      'Falló {at}: no se aceptó la tarjeta o cuenta de cobro[ ({reason})]. No se pidió nada al pagador.',
    PROVIDER_UNAVAILABLE: 'Falló {at}: un proveedor no respondió a tiempo.',
    ENDED_BY_OPERATOR: 'El operador del servicio terminó la solicitud {at}.',
    ALREADY_COMPLETED: 'Falló {at}: el proveedor ya completó una solicitud con este id.',
    REFUSED: 'Falló {at}[: {reason}].',
  },
};

/** The sentence of each action, after that of the cause. Empty where the cause says it. */
export const ACTIONS: Readonly<Record<Language, Readonly<Record<PaymentAction, string>>>> = {
  EN: {
    WAIT: '',
    REPEAT_SAME_REQUEST: 'Send the same request again with the same id.',
    REQUEST_AGAIN: 'Request the money again with a new id.',
    CORRECT_AND_REQUEST_AGAIN: 'Correct the request, and send it with a new id.',
    COMPLETE_IDENTITY_CHECK:
      'Let the customer complete an identity check, then request the money again with a new id.',
    UNBLOCK_USER: 'Unblock the customer, then request the money again with a new id.',
    CONTACT_SUPPORT: 'Contact the support of the service. Do not request the money again.',
    ASK_OPERATOR: 'Ask the operator of the service. Do not request the money again.',
  },
  ES: {
    WAIT: '',
    REPEAT_SAME_REQUEST: 'Envíe la misma solicitud otra vez con el mismo id.',
    REQUEST_AGAIN: 'Solicite el dinero otra vez con un id nuevo.',
    CORRECT_AND_REQUEST_AGAIN: 'Corrija la solicitud y envíela con un id nuevo.',
    COMPLETE_IDENTITY_CHECK:
      'El cliente debe completar la verificación de identidad; después solicite el dinero otra vez con un id nuevo.',
    UNBLOCK_USER: 'Desbloquee al cliente y después solicite el dinero otra vez con un id nuevo.',
    CONTACT_SUPPORT: 'Contacte al soporte del servicio. No solicite el dinero otra vez.',
    ASK_OPERATOR: 'Pregunte al operador del servicio. No solicite el dinero otra vez.',
  },
};
