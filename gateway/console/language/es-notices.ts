import type { Words } from './en.ts';

export const notices: Words['notices'] = {
  notCopied: 'No se copió: el navegador no lo permite. Copie el texto seleccionado:',
  newVersion: 'Si el servidor tiene una versión nueva de la consola, «Reintentar» la carga.',
  stillSignedIn: (present) => `Su sesión en ${present} sigue abierta.`,
  range: {
    incomplete: 'Indique las dos horas del intervalo.',
    order: 'El intervalo termina antes de comenzar.',
    future: 'El intervalo comienza en el futuro.',
    long: 'El intervalo supera los 400 días. Elija uno más corto.',
  },
};
