import type { ConnectionType } from './connection-settings.ts'

export const makers = {
  bambu: 'Bambu Lab',
  prusa: 'Prusa',
  creality: 'Creality',
  elegoo: 'Elegoo',
  voron: 'Voron',
  sovol: 'Sovol',
  qidi: 'QIDI',
  anycubic: 'Anycubic',
  flashforge: 'Flashforge',
  snapmaker: 'Snapmaker',
} as const
export type Maker = keyof typeof makers

/** A model as its maker describes it. What a maker gives no figure of is left out, and is then not known. */
export interface KnownModel {
  maker: Maker
  /** Without the maker's name. */
  name: string
  /** Other spellings, and the codes by which slicers and announcements name it. */
  also?: readonly string[]
  /** Width, depth and height that can be printed, in mm. */
  volume?: readonly [number, number, number]
  /** Highest temperatures in °C. */
  nozzle?: number
  bed?: number
  chamber?: number
  /** Heats its chamber by itself; `chamber` is only a limit. */
  heatsChamber?: true
  isEnclosed?: true
  /** Tools or nozzles that print side by side; 1 when left out. */
  tools?: number
  /** What changes its filaments by itself, where the maker offers such a unit. */
  changer?: string
  /** The bed moves from front to back on a frame that bears a push: a print can be pushed off against the toolhead. */
  canPush?: true
  /** How a hub can talk to it, the best way first. */
  reach: readonly ConnectionType[]
}

type Details = Partial<Omit<KnownModel, 'maker' | 'name' | 'volume'>>

function family(maker: Maker, shared: Details & Pick<KnownModel, 'reach'>) {
  return (name: string, volume: KnownModel['volume'] | null, own: Details = {}): KnownModel => ({
    maker,
    name,
    ...shared,
    ...(volume && { volume }),
    ...own,
  })
}

const bambu = family('bambu', { reach: ['bambu'], changer: 'AMS' })
const enclosedBambu = family('bambu', { reach: ['bambu'], changer: 'AMS', isEnclosed: true })
const h2 = family('bambu', {
  reach: ['bambu'],
  changer: 'AMS',
  isEnclosed: true,
  heatsChamber: true,
  nozzle: 350,
  bed: 120,
  chamber: 65,
})
const prusa = family('prusa', { reach: ['prusalink', 'octoprint'], nozzle: 290, bed: 120 })
const creality = family('creality', { reach: ['creality', 'moonraker', 'octoprint'], changer: 'CFS' })
const ender = family('creality', { reach: ['octoprint', 'moonraker'] })
const neptune = family('elegoo', { reach: ['moonraker', 'octoprint'] })
const centauri = family('elegoo', { reach: ['elegoo'] })
const voron = family('voron', { reach: ['moonraker', 'octoprint'] })
const klipper = (maker: Maker) => family(maker, { reach: ['moonraker', 'octoprint'] })
const sovol = klipper('sovol')
const qidi = klipper('qidi')
const anycubic = klipper('anycubic')
const flashforge = klipper('flashforge')
const snapmaker = klipper('snapmaker')

const small = [250, 210, 210] as const
const mk4Size = [250, 210, 220] as const

/**
 * Sizes and temperatures are the makers' published ones, as their product pages and the machine profiles that they ship with
 * PrusaSlicer, BambuStudio and OrcaSlicer have them. The codes of Bambu Lab and Creality are those which their printers announce;
 * Prusa's are the `printer_model` of PrusaSlicer. Machines that are built from parts (Voron) have no heater limits here.
 */
export const knownModels: readonly KnownModel[] = [
  enclosedBambu('X1 Carbon', [256, 256, 256], { also: ['X1C', 'BL-P001'] }),
  enclosedBambu('X1', [256, 256, 256], { also: ['BL-P002'] }),
  enclosedBambu('X1E', [256, 256, 256], { also: ['C13'], nozzle: 320, chamber: 60, heatsChamber: true }),
  enclosedBambu('X2D', [256, 256, 260], { also: ['N6'], tools: 2, heatsChamber: true }),
  bambu('P1P', [256, 256, 256], { also: ['C11'], bed: 100 }),
  enclosedBambu('P1S', [256, 256, 256], { also: ['C12'], bed: 100 }),
  enclosedBambu('P2S', [256, 256, 256], { also: ['N7'], bed: 110 }),
  bambu('A1 mini', [180, 180, 180], { also: ['N1'], bed: 80, changer: 'AMS lite' }),
  bambu('A1', [256, 256, 256], { also: ['N2S'], bed: 100, changer: 'AMS lite' }),
  bambu('A2L', [330, 320, 325], { also: ['N9'] }),
  h2('H2D', [350, 320, 325], { also: ['O1D'], tools: 2 }),
  h2('H2D Pro', [350, 320, 325], { also: ['O1E', 'O2D'], tools: 2 }),
  h2('H2C', [330, 320, 325], { also: ['O1C', 'O1C2'], tools: 2 }),
  h2('H2S', [340, 320, 340], { also: ['O1S'] }),

  prusa('MK4S', mk4Size, { canPush: true }),
  prusa('MK4S MMU3', mk4Size, { changer: 'MMU3' }),
  prusa('MK4', mk4Size, { also: ['MK4IS'], canPush: true }),
  prusa('MK4 MMU3', mk4Size, { also: ['MK4IS MMU3'], changer: 'MMU3' }),
  prusa('MK3.9', mk4Size),
  prusa('MK3.9 MMU3', mk4Size, { changer: 'MMU3' }),
  prusa('MK3.9S', mk4Size),
  prusa('MK3.9S MMU3', mk4Size, { changer: 'MMU3' }),
  prusa('MK3.5', small, { nozzle: 300, canPush: true }),
  prusa('MK3.5 MMU3', small, { nozzle: 300, changer: 'MMU3' }),
  prusa('MK3.5S', small, { nozzle: 300 }),
  prusa('MK3.5S MMU3', small, { nozzle: 300, changer: 'MMU3' }),
  prusa('MK3S', small, { also: ['MK3S+', 'MK3S & MK3S+'], nozzle: 300 }),
  prusa('MK3S MMU2S', small, { also: ['MK3S & MK3S+ MMU2S'], nozzle: 300, changer: 'MMU2S' }),
  prusa('MK3S MMU3', small, { also: ['MK3S & MK3S+ MMU3'], nozzle: 300, changer: 'MMU3' }),
  prusa('MK3', small, { nozzle: 300 }),
  prusa('MINI', [180, 180, 180], {
    also: ['MINI+', 'MINI & MINI+', 'MINIIS', 'MINI Input Shaper'],
    nozzle: 280,
    bed: 100,
  }),
  prusa('XL', [360, 360, 360], { also: ['XLIS'] }),
  prusa('XL 2T', [360, 360, 360], { also: ['XL2', 'XL2IS'], tools: 2 }),
  prusa('XL 5T', [360, 360, 360], { also: ['XL5', 'XL5IS'], tools: 5 }),
  prusa('CORE One', [250, 220, 270], {
    also: ['CORE One+', 'CORE One & CORE One+'],
    chamber: 55,
    isEnclosed: true,
  }),
  prusa('CORE One MMU3', [250, 220, 270], {
    also: ['CORE One & CORE One+ MMU3'],
    chamber: 55,
    isEnclosed: true,
    changer: 'MMU3',
  }),
  prusa('CORE One L', [300, 300, 330], { chamber: 60, isEnclosed: true }),

  ender('Ender-3', [220, 220, 250], { also: ['Ender-3 Pro', 'Ender-3 V2'], nozzle: 255, bed: 110, canPush: true }),
  ender('Ender-3 S1', [220, 220, 270], { nozzle: 260, bed: 100 }),
  ender('Ender-3 S1 Pro', [220, 220, 270], { nozzle: 300, bed: 110 }),
  ender('Ender-5 S1', [220, 220, 280], { nozzle: 300, bed: 110 }),
  creality('Ender-3 V3', [220, 220, 250], { bed: 110 }),
  ender('Ender-3 V3 SE', [220, 220, 250], { nozzle: 260, bed: 100, canPush: true }),
  creality('Ender-3 V3 KE', [220, 220, 240], { bed: 100 }),
  creality('Ender-3 V3 Plus', [300, 300, 330], { bed: 100 }),
  creality('K1', [220, 220, 250], { bed: 100, isEnclosed: true }),
  creality('K1C', [220, 220, 250], { bed: 100, isEnclosed: true }),
  creality('K1 SE', [220, 220, 250], { bed: 100 }),
  creality('K1 Max', [300, 300, 300], { isEnclosed: true }),
  creality('K2', [260, 260, 260], { also: ['F021'], bed: 100, isEnclosed: true }),
  creality('K2 Pro', [300, 300, 300], { also: ['F012'], bed: 110, chamber: 60, heatsChamber: true, isEnclosed: true }),
  creality('K2 Plus', [350, 350, 350], {
    also: ['F008'],
    nozzle: 350,
    chamber: 60,
    heatsChamber: true,
    isEnclosed: true,
  }),
  creality('Hi', [260, 260, 300], { also: ['F018'], bed: 100 }),

  centauri('Centauri', [256, 256, 256], { nozzle: 300, bed: 110 }),
  centauri('Centauri Carbon', [256, 256, 256], { also: ['CC1', 'ECC'], nozzle: 320, bed: 110, isEnclosed: true }),
  centauri('Centauri Carbon 2', [256, 256, 256], {
    also: ['CC2', 'ECC2'],
    nozzle: 350,
    bed: 110,
    isEnclosed: true,
    changer: 'Canvas',
  }),
  neptune('Neptune 3 Pro', [225, 225, 280], { nozzle: 260, bed: 100 }),
  neptune('Neptune 4', [225, 225, 265], { bed: 110 }),
  neptune('Neptune 4 Pro', [225, 225, 265], { bed: 110 }),
  neptune('Neptune 4 Plus', [320, 320, 385], { bed: 100 }),
  neptune('Neptune 4 Max', [420, 420, 480], { bed: 85 }),

  voron('0.1', [120, 120, 120]),
  voron('0.2', [120, 120, 120]),
  voron('2.4', null, { also: ['V2.4'] }),
  voron('2.4 250', [250, 250, 250], { also: ['V2.4 250', 'v2 250'] }),
  voron('2.4 300', [300, 300, 300], { also: ['V2.4 300', 'v2 300'] }),
  voron('2.4 350', [350, 350, 350], { also: ['V2.4 350', 'v2 350'] }),
  voron('Trident', null),
  voron('Trident 250', [250, 250, 250]),
  voron('Trident 300', [300, 300, 250]),
  voron('Trident 350', [350, 350, 250]),
  voron('Switchwire', [250, 210, 220], { also: ['Switchwire 250'] }),

  sovol('SV06', [220, 220, 250], { bed: 100 }),
  sovol('SV06 Plus', [300, 300, 340], { bed: 100 }),
  sovol('SV07', [220, 220, 250], { bed: 100 }),
  sovol('SV07 Plus', [300, 300, 350], { bed: 100 }),
  sovol('SV08', [350, 350, 345], { bed: 100 }),

  qidi('X-Smart 3', [175, 180, 170], { isEnclosed: true }),
  qidi('X-Plus 3', [280, 280, 270], { nozzle: 350, chamber: 65, heatsChamber: true, isEnclosed: true }),
  qidi('X-Max 3', [325, 325, 315], { nozzle: 350, chamber: 65, heatsChamber: true, isEnclosed: true }),
  qidi('X-Plus 4', [305, 305, 280], {
    also: ['Plus 4'],
    nozzle: 370,
    chamber: 65,
    heatsChamber: true,
    isEnclosed: true,
    changer: 'QIDI Box',
  }),
  qidi('Q1 Pro', [245, 245, 240], { nozzle: 350, chamber: 60, heatsChamber: true, isEnclosed: true }),
  qidi('Q2', [270, 270, 256], {
    nozzle: 370,
    chamber: 65,
    heatsChamber: true,
    isEnclosed: true,
    changer: 'QIDI Box',
  }),

  anycubic('Kobra 2', [220, 220, 250], { nozzle: 260, bed: 110 }),
  anycubic('Kobra 3', [250, 250, 260], { bed: 110, changer: 'ACE Pro' }),
  anycubic('Kobra S1', [250, 250, 250], { nozzle: 320, isEnclosed: true, changer: 'ACE Pro' }),
  flashforge('Adventurer 5M', [220, 220, 220], { also: ['AD5M'], nozzle: 280, bed: 110 }),
  flashforge('Adventurer 5M Pro', [220, 220, 220], { also: ['AD5M Pro'], nozzle: 280, bed: 110, isEnclosed: true }),
  snapmaker('U1', [270, 270, 270], { bed: 100, tools: 4 }),
]
