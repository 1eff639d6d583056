import type { endpointActs as en } from './en-endpoints.ts';

/** Spanish texts of changes of endpoints and webhooks. */
export const endpointActs: typeof en = {
  description: 'Descripción',
  add: 'Añadir un destino',
  addHow:
    'Cada evento se envía también a esta URL, firmado con un secreto propio. El secreto se muestra una sola vez, al añadir el destino.',
  edit: 'Editar',
  editHow:
    'El cambio vale para los webhooks nuevos en 2 segundos. Los webhooks ya guardados conservan su URL, su esquema de firma y sus cabeceras propias, hasta que los envíe a la nueva URL. Con una URL en otro servidor se pierden las cabeceras propias, si no las escribe de nuevo.',
  save: 'Guardar',
  remove: 'Eliminar',
  removeHow: (waiting) =>
    `No se envía nada más a esta URL. Los webhooks pendientes para ella quedan sin entregar (ahora: ${waiting}). Su secreto se pierde. No se puede deshacer.`,
  pauseHow:
    'Los webhooks nuevos y los reintentos se guardan hasta que reanude el destino. No se pierde ninguno.',
  resumeHow: (waiting) =>
    `Los webhooks guardados se envían ahora, primero los más antiguos (ahora: ${waiting}).`,
  testHow:
    'Se envía a esta URL un webhook firmado con el evento «test», que aparece en la lista con los demás.',
  testWebhook: 'Webhook de prueba:',
  checkTest: 'Compárelo con lo que recibió su servidor: pegue abajo su firma.',
  scheme: 'Esquema de firma',
  schemes: {
    DOCUMENTED: 'El documentado (X-Webhook-Signature)',
    STANDARD_WEBHOOKS: 'Standard Webhooks (webhook-signature)',
    HTTP_MESSAGE_SIGNATURES: 'Firmas de mensajes HTTP (RFC 9421)',
  },
  schemeHow: {
    STANDARD_WEBHOOKS:
      'Las bibliotecas de Standard Webhooks verifican estos webhooks con el secreto. Si eligió un secreto que no pueden leer, reemplácelo antes.',
    HTTP_MESSAGE_SIGNATURES:
      'Los webhooks se firman con una clave Ed25519. Su servidor solo necesita la clave pública, que se muestra en el destino.',
  },
  publicKeys: 'Claves públicas (Ed25519)',
  ownHeaders: 'Cabeceras propias',
  headers:
    'Cabeceras propias, una por línea (Nombre: valor). Los valores no se vuelven a mostrar; un cambio las reemplaza todas',
  events: 'Eventos',
  allEvents: 'Todos los eventos, también los futuros',
  eventVersion: 'Versión de los eventos',
  eventVersionHow:
    'Los cuerpos de los webhooks nuevos conservan la forma de esta versión. El catálogo de eventos indica hasta cuándo se admite cada versión.',
  missed: 'Enviar a esta URL los webhooks perdidos',
  missedNone: 'Ningún webhook para una URL anterior de este destino está pendiente ni quedó sin entregar.',
  missedCount: (count, shown) =>
    count === 1
      ? '1 webhook para una URL anterior de este destino está pendiente o quedó sin entregar. Se envía a la URL actual, firmado con el secreto actual.'
      : `${shown} webhooks para una URL anterior de este destino están pendientes o quedaron sin entregar. Se envían a la URL actual, firmados con el secreto actual.`,
  missedStart: 'Enviarlos',
  missedStarted: 'Se están enviando. La lista de webhooks muestra el avance.',
  sendNow: 'Enviar ahora',
  sendNowHow:
    'El próximo intento se hace ahora y no a su hora. Si falla, el siguiente se hace según el calendario.',
  sendNowDone: 'El webhook se envía ahora.',
  replayHow: (url) => `El mismo webhook, con el mismo id, se envía otra vez a ${url}.`,
  toCurrent: 'Enviar a la URL actual',
  toCurrentHow: (former, url) =>
    `El webhook era para ${former}. El mismo webhook, con el mismo id, se envía a ${url}, firmado con el secreto actual. La URL anterior queda registrada.`,
  formerUrl: 'URL anterior',
  until: 'hasta',
  signatureCheck: {
    verb: 'Comprobar una firma',
    how: 'Pegue los valores que recibió su servidor. Se comprueban en esta página; no se envía nada.',
    signature: 'Valor de X-Webhook-Signature, X-RAAS-Signature o webhook-signature',
    timestamp: 'Valor de X-RAAS-Timestamp o webhook-timestamp, si lo hay',
    messageId: 'Valor de webhook-id, si lo hay',
    valid: 'La firma es válida.',
    invalid:
      'La firma no coincide. Causa habitual: el cuerpo se interpretó y se serializó de nuevo. Compruebe los bytes originales.',
    malformed:
      'Esto no es una firma que se pueda comprobar aquí. Se espera t=1700000000,v1=…, 64 dígitos hexadecimales con una marca de tiempo, v1,… con una marca de tiempo y un id, o 44 caracteres en base64.',
  },
};
