/**
 * What a file is, decided by its first bytes and, for archives, by what lies inside; never by its name.
 * The first four can be printed; `project-3mf`, `stl`, `obj` and `amf` are models that must be sliced first.
 */
export type PrintFileFormat = 'gcode' | 'bgcode' | 'gcode-3mf' | 'ufp' | 'project-3mf' | 'stl' | 'obj' | 'amf'

/** One filament that the print uses. */
export interface Filament {
  /** Position in the slicer's list of filaments or extruders, from 0. Positions that the print does not use are left out. */
  index: number
  /** `PLA`, `PETG`, …, as the slicer wrote it. */
  type: string | null
  /** `#RRGGBB`, upper case. */
  color: string | null
  /** The slicer's name or ID of the filament preset. */
  presetId: string | null
  /**
   * The tool that the G-code is written for, from 0 as the printer numbers its tools. Null when the printer has one, or when
   * the file does not say.
   */
  tool: number | null
  lengthMm: number | null
  volumeCm3: number | null
  weightG: number | null
  /** True when it is used for supports and nothing else; null when the file does not say. */
  forSupport: boolean | null
}

/** An object that a printer may be asked to skip. Names are foreign text: escape them before showing them. */
export interface PrintObject {
  id: string
  name: string
  /** Outline on the bed, in mm. */
  polygon?: [x: number, y: number][]
}

/** A preview picture, checked by its magic bytes. Serve it with this `mime`, never with a type the file claims. */
export interface Thumbnail {
  width: number
  height: number
  mime: 'image/png' | 'image/jpeg'
  bytes: Uint8Array
}

/** A command outside comments that changes the printer beyond this print; a person may want to look at it. */
export interface ReviewCommand {
  command: 'M92' | 'M112' | 'M500' | 'M502' | 'M851'
  count: number
  /** Line of the first one, from 1. */
  firstLine: number
}

/** What is said about one print. `null` and empty lists mean that the file does not say. */
export interface PrintFacts {
  /** As written: `MK4S`, `Bambu Lab P1S`. */
  printerModel: string | null
  /** Name of the slicer's print profile (`print_settings_id`). */
  printProfile: string | null
  printTimeSeconds: number | null
  filaments: Filament[]
  totalWeightG: number | null
  totalLengthMm: number | null
  layerCount: number | null
  layerHeightMm: number | null
  firstLayerHeightMm: number | null
  maxZMm: number | null
  /** What the print covers of the plate in X and Y. */
  widthMm: number | null
  depthMm: number | null
  /** One per nozzle. */
  nozzleDiametersMm: number[]
  /** Printing temperature, one per filament of the slicer's list. */
  nozzleTempC: number[]
  bedTempC: number | null
  chamberTempC: number | null
  bedType: string | null
  objects: PrintObject[]
  /** Best first: PNG before JPEG, then by size. */
  thumbnails: Thumbnail[]
  reviewCommands: ReviewCommand[]
  /** Names of the fields above (`weightG` and `lengthMm` of filaments too) that were computed rather than read. */
  estimated: string[]
  /** Sentences for people about what looked wrong without being a reason to refuse the file. */
  warnings: string[]
}

/** One sliced plate of a `.gcode.3mf`. */
export interface Plate extends PrintFacts {
  /** The slicer's plate number, from 1; numbers may have gaps. */
  index: number
  name: string | null
  /** The entry that a print command must name, such as `Metadata/plate_3.gcode`. */
  gcodePath: string
}

/**
 * What a print file says about itself. With several plates the fields of `PrintFacts` hold only what all plates agree
 * on: times and amounts belong to a plate, and adding them up would describe a print that no one can start.
 */
export interface PrintFile extends PrintFacts {
  format: PrintFileFormat
  /** False for models and for projects that were saved without slicing: these cannot be printed. */
  isSliced: boolean
  slicer: string | null
  slicerVersion: string | null
  /** Filled for `gcode-3mf` only, in the order of their numbers. */
  plates: Plate[]
}

/** Facts with nothing known. */
export function unknownFacts(): PrintFacts {
  return {
    printerModel: null,
    printProfile: null,
    printTimeSeconds: null,
    filaments: [],
    totalWeightG: null,
    totalLengthMm: null,
    layerCount: null,
    layerHeightMm: null,
    firstLayerHeightMm: null,
    maxZMm: null,
    widthMm: null,
    depthMm: null,
    nozzleDiametersMm: [],
    nozzleTempC: [],
    bedTempC: null,
    chamberTempC: null,
    bedType: null,
    objects: [],
    thumbnails: [],
    reviewCommands: [],
    estimated: [],
    warnings: [],
  }
}

/** A filament of which only the position is known. */
export function unknownFilament(index: number): Filament {
  return {
    index,
    type: null,
    color: null,
    presetId: null,
    tool: null,
    lengthMm: null,
    volumeCm3: null,
    weightG: null,
    forSupport: null,
  }
}
