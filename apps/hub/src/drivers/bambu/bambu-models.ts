/** What the models of the family differ in, as far as a driver must know. */
export interface BambuTraits {
  /** Others send 5 or 0 for a chamber that they cannot measure. */
  hasChamberSensor: boolean
  /** Heating of the chamber: not at all, by `M141` alone, or by `M141` with the flap that `M145` moves. */
  chamberHeater: 'none' | 'plain' | 'with_flap'
  /** Two lamps that are only switched together. */
  hasTwoLights: boolean
  hasTwoNozzles: boolean
  /** Calibrates its vibration by itself and refuses a job that asks for it. */
  refusesVibrationCali: boolean
  /** Prints G-code that is not in an archive. */
  takesPlainGcode: boolean
  /** The TLS of its file server fails on some data connections. */
  needsClearData: boolean
  /** Its camera gives single JPEGs; the others stream video, of which a still takes a decoder. */
  hasJpegCamera: boolean
}

const plain: BambuTraits = {
  hasChamberSensor: false,
  chamberHeater: 'none',
  hasTwoLights: false,
  hasTwoNozzles: false,
  refusesVibrationCali: false,
  takesPlainGcode: true,
  needsClearData: false,
  hasJpegCamera: true,
}
const x1: BambuTraits = { ...plain, hasChamberSensor: true, hasJpegCamera: false }
const x1e: BambuTraits = { ...x1, chamberHeater: 'plain' }
const h2: BambuTraits = { ...x1, chamberHeater: 'with_flap', hasTwoLights: true, takesPlainGcode: false }
const h2d: BambuTraits = { ...h2, hasTwoNozzles: true }
const p2s: BambuTraits = { ...x1, refusesVibrationCali: true, takesPlainGcode: false }
const a1: BambuTraits = { ...plain, needsClearData: true }

/** In this order: the first that fits. The code is the one of announcements, the name the one of people. */
const byName: readonly [RegExp, BambuTraits][] = [
  [/\bX1E\b|^C13$/i, x1e],
  [/\bX1|^BL-P00[12]$/i, x1],
  [/\bP2S\b|^N7$/i, p2s],
  [/\bP1[PS]\b|^C1[12]$/i, plain],
  [/\bA1\b|^N1$|^N2S$/i, a1],
  [/\bA2L\b|^N9$/i, a1],
  [/\bX2D\b|^N6$/i, h2d],
  [/\bH2S\b|^O1S$/i, h2],
  [/\bH2|^O[12][A-Z0-9]+$/i, h2d],
]

/** Less certain than a name: not all of the H2 family is known to have a prefix of its own. As in BambuStudio's device files. */
const bySerial: readonly [string, BambuTraits][] = [
  ['00M', x1],
  ['00W', x1],
  ['03W', x1e],
  ['01S', plain],
  ['01P', plain],
  ['22E', p2s],
  ['20P', h2d],
  ['030', a1],
  ['039', a1],
  ['26A', a1],
  ['093', h2],
  ['094', h2],
  ['31B', h2d],
]

/** By what the printer calls itself, else by its serial, else by what people call it; the plainest when nothing fits. */
export function traitsOf(productName: string | null, serial: string, givenModel: string): BambuTraits {
  const named = (name: string) => byName.find(([pattern]) => pattern.test(name.trim()))?.[1]
  return (
    (productName === null ? undefined : named(productName)) ??
    bySerial.find(([prefix]) => serial.startsWith(prefix))?.[1] ??
    named(givenModel) ??
    plain
  )
}

/** True when a text can be the serial number of a printer of this family, by how those of known models begin. */
export function isBambuSerial(text: string): boolean {
  return /^[0-9A-Z]{12,20}$/.test(text) && bySerial.some(([prefix]) => text.startsWith(prefix))
}

const names: Readonly<Record<string, string>> = {
  'BL-P001': 'X1 Carbon',
  'BL-P002': 'X1',
  C13: 'X1E',
  C11: 'P1P',
  C12: 'P1S',
  N7: 'P2S',
  N6: 'X2D',
  N1: 'A1 mini',
  N2S: 'A1',
  N9: 'A2L',
  O1D: 'H2D',
  O1E: 'H2D Pro',
  O2D: 'H2D Pro',
  O1C: 'H2C',
  O1C2: 'H2C',
  O1S: 'H2S',
}

/** Answers what people call the model that an announcement names by its code; the code itself when it is not known. */
export function bambuModelName(code: string): string {
  return Object.hasOwn(names, code) ? (names[code] ?? code) : code
}
