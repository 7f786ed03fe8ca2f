/** What tells printers apart that the same file cannot be printed on. */
export interface PrinterKind {
  model: string
  /** In mm. */
  nozzle: number
}

export interface Filament {
  type: string
  color: string
  /** `#RRGGBB`. */
  hex: string
}

/** What a farm buys, and how often. The shares are guesses at what farms look like; models are ones people have. */
export const kindsOfPrinters: readonly { kind: PrinterKind; share: number }[] = [
  { kind: { model: 'MK4S', nozzle: 0.4 }, share: 30 },
  { kind: { model: 'MK4S', nozzle: 0.6 }, share: 6 },
  { kind: { model: 'P1S', nozzle: 0.4 }, share: 28 },
  { kind: { model: 'P1S', nozzle: 0.6 }, share: 6 },
  { kind: { model: 'CORE One', nozzle: 0.4 }, share: 14 },
  { kind: { model: 'A1 mini', nozzle: 0.4 }, share: 10 },
  { kind: { model: 'X1C', nozzle: 0.4 }, share: 6 },
]

/** What printers are loaded with on an ordinary morning, and what is asked for on an ordinary day. */
export const filaments: readonly { filament: Filament; share: number }[] = [
  { filament: { type: 'PLA', color: 'Black', hex: '#101010' }, share: 26 },
  { filament: { type: 'PLA', color: 'White', hex: '#F5F5F0' }, share: 18 },
  { filament: { type: 'PLA', color: 'Grey', hex: '#8A8D8F' }, share: 12 },
  { filament: { type: 'PLA', color: 'Red', hex: '#C1272D' }, share: 7 },
  { filament: { type: 'PLA', color: 'Blue', hex: '#1F5FA8' }, share: 7 },
  { filament: { type: 'PETG', color: 'Black', hex: '#1A1A1A' }, share: 14 },
  { filament: { type: 'PETG', color: 'Orange', hex: '#F26B21' }, share: 7 },
  { filament: { type: 'PETG', color: 'Clear', hex: '#E8EEF0' }, share: 3 },
  { filament: { type: 'TPU', color: 'Black', hex: '#202020' }, share: 4 },
  { filament: { type: 'ASA', color: 'Black', hex: '#181818' }, share: 2 },
]
