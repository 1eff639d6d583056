import type { Words } from './en.ts';

/** Spanish texts of timelines. */
export const timeline: Words['timeline'] = {
  kinds: {
    status: 'Estado',
    request: 'Petición',
    phase: 'Fase',
    webhook: 'Webhook',
    link: 'Enlace',
  },
  isCut: 'Faltan las primeras entradas: son demasiadas o ya no se conservan.',
  problems: 'Problemas',
  subjects: { OPERATION: 'Operación', REMITTANCE: 'Llamada atómica', REQUEST_MONEY: 'Solicitud de dinero' },
  actions: {
    WAIT: 'No tiene que hacer nada: se reintenta automáticamente.',
    REPEAT_SAME_REQUEST:
      'Su servidor debe enviar la misma solicitud otra vez con el mismo id, nunca con otro.',
    REQUEST_AGAIN: 'Su servidor debe enviar una solicitud nueva con un id nuevo.',
    CORRECT_AND_REQUEST_AGAIN: 'Su servidor debe enviar una solicitud corregida con un id nuevo.',
    COMPLETE_IDENTITY_CHECK:
      'El cliente debe completar una verificación de identidad. Después su servidor debe enviar una solicitud nueva con un id nuevo.',
    UNBLOCK_USER:
      'Decida si desbloquea al cliente. Si lo hace, su servidor debe enviar una solicitud nueva con un id nuevo.',
    MEND_ENDPOINT_AND_REPLAY: 'Arregle el receptor en la URL del webhook y envíe el webhook otra vez.',
    RESUME_ENDPOINT: 'Reanude el destino del webhook: entonces se envía el webhook.',
    CONTACT_SUPPORT: 'Contacte al soporte de la plataforma. No solicite el dinero otra vez.',
    ASK_OPERATOR:
      'La plataforma revisa el pago. No solicite el dinero otra vez; para preguntas, contacte al soporte de la plataforma.',
  },
  title: 'Cronología',
};
