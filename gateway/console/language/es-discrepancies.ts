import type { discrepancies as en } from './en-discrepancies.ts';

/** Spanish texts of discrepancies. */
export const discrepancies: typeof en = {
  none: 'No hay diferencias. Al importar el archivo de liquidación de un proveedor, aparece una por cada diferencia con el libro diario.',
  theirs: 'En el archivo',
  ours: 'En el libro diario',
  line: (line) => `línea ${line}`,
  decide: 'Decidir',
  save: 'Guardar',
  how: 'El estado es para las personas: no se mueve dinero. Su nombre y la nota se añaden al registro.',
  note: 'Nota (se guarda en el registro; no nombre a usuarios)',
  log: 'Registro',
  byImport: 'Una importación posterior',
  states: {
    OPEN: 'Abierta',
    INVESTIGATING: 'En investigación',
    RESOLVED: 'Resuelta',
    ACCEPTED: 'Aceptada como está',
  },
  kinds: {
    MISSING_WITH_US: 'Solo en el archivo',
    MISSING_WITH_THEM: 'Solo en el libro diario',
    AMOUNT_DIFFERS: 'Importe distinto',
    DUPLICATE: 'Dos veces en archivos',
  },
};
