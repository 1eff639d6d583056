import { describeSurface } from './surface.ts';

describeSurface('remittance');
