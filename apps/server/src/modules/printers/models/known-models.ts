import type { ConnectionType } from '../connection/connection-settings.ts'

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
type Maker = keyof typeof makers

/** Sources of figures. */
export const sources = {
  bambu_studio: 'machine profiles and device descriptions of BambuStudio',
  orca: 'machine profiles of OrcaSlicer and of its branches that makers ship',
  prusa_firmware: "ceilings in the firmware of Prusa's Buddy boards, less the safety margins that it names",
  sibling: 'those of the model that it is a variant of',
  maker: 'what its maker advertises; found in nothing that ships with a product',
} as const
type Source = keyof typeof sources

/** What is known of a model. What could not be read anywhere is left out: then it is not known, and limits no one. */
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
  /** Source of the volume. */
  sizeFrom?: Source
  /** Source of the temperatures. */
  heatersFrom?: Source
  /** Heats its chamber by itself; `chamber` is only a limit. */
  heatsChamber?: true
  isEnclosed?: true
  /** Tools or nozzles that print side by side; 1 when left out. */
  tools?: number
  /** What changes its filaments by itself, where the maker offers such a unit. */
  changer?: string
  /** The bed moves from front to back on a frame that bears a push: a print can be pushed off against the toolhead. */
  canPush?: true
  /** Ways in which a hub can talk to it, the best first. */
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

const studio = { sizeFrom: 'bambu_studio', heatersFrom: 'bambu_studio', nozzle: 300 } as const
const bambu = family('bambu', { ...studio, reach: ['bambu'], changer: 'AMS' })
const enclosedBambu = family('bambu', { ...studio, reach: ['bambu'], changer: 'AMS', isEnclosed: true })
const h2 = family('bambu', {
  ...studio,
  reach: ['bambu'],
  changer: 'AMS',
  isEnclosed: true,
  heatsChamber: true,
  nozzle: 350,
  bed: 120,
  chamber: 65,
})
const buddy = family('prusa', {
  reach: ['prusalink', 'octoprint'],
  sizeFrom: 'orca',
  heatersFrom: 'prusa_firmware',
  nozzle: 290,
  bed: 120,
})
/** Their firmware is another one, or not published yet. */
const prusa = family('prusa', { reach: ['prusalink', 'octoprint'], sizeFrom: 'orca' })
const creality = family('creality', { reach: ['creality', 'moonraker', 'octoprint'], changer: 'CFS', sizeFrom: 'orca' })
const ender = family('creality', { reach: ['octoprint', 'moonraker'], sizeFrom: 'orca' })
const neptune = family('elegoo', { reach: ['moonraker', 'octoprint'], sizeFrom: 'orca' })
const centauri = family('elegoo', { reach: ['elegoo'], sizeFrom: 'orca' })
const voron = family('voron', { reach: ['moonraker', 'octoprint'], sizeFrom: 'orca' })
const klipper = (maker: Maker) => family(maker, { reach: ['moonraker', 'octoprint'], sizeFrom: 'orca' })
const sovol = klipper('sovol')
const qidi = family('qidi', {
  reach: ['moonraker', 'octoprint'],
  sizeFrom: 'orca',
  heatersFrom: 'maker',
  heatsChamber: true,
  isEnclosed: true,
})
const anycubic = klipper('anycubic')
const flashforge = klipper('flashforge')
const snapmaker = klipper('snapmaker')

const small = [250, 210, 210] as const
const mk4Size = [250, 210, 220] as const
const mk4Variant = { sizeFrom: 'sibling' } as const

/**
 * Each figure was looked up where `sizeFrom` and `heatersFrom` say. Where versions of one source differ, the larger counts: a
 * printer refuses by itself what is too much for it, and a limit that is too low keeps work from a machine that could do it.
 * What firmware calls its highest temperature without naming a margin is where it shuts itself down, and no limit to order by.
 *
 * Whether a model is enclosed, heats its chamber or has tools is what makers say of it. The codes of Bambu Lab and Creality are
 * those which their printers announce; Prusa's are the `printer_model` of PrusaSlicer. Machines that are built from parts (Voron)
 * have no heater limits here.
 */
export const knownModels: readonly KnownModel[] = [
  // BambuStudio slices these five to a height of 250; their maker advertises 256.
  enclosedBambu('X1 Carbon', [256, 256, 256], { also: ['X1C', 'BL-P001'], sizeFrom: 'maker' }),
  enclosedBambu('X1', [256, 256, 256], { also: ['BL-P002'], sizeFrom: 'maker' }),
  enclosedBambu('X1E', [256, 256, 256], {
    also: ['C13'],
    nozzle: 320,
    bed: 110,
    chamber: 60,
    heatsChamber: true,
    sizeFrom: 'maker',
  }),
  bambu('P1P', [256, 256, 256], { also: ['C11'], bed: 100, sizeFrom: 'maker' }),
  enclosedBambu('P1S', [256, 256, 256], { also: ['C12'], bed: 100, sizeFrom: 'maker' }),
  enclosedBambu('X2D', [256, 256, 261], { also: ['N6'], bed: 120, chamber: 65, tools: 2, heatsChamber: true }),
  enclosedBambu('P2S', [256, 256, 256], { also: ['N7'], bed: 110 }),
  bambu('A1 mini', [180, 180, 180], { also: ['N1'], bed: 80, changer: 'AMS lite' }),
  bambu('A1', [256, 256, 256], { also: ['N2S'], bed: 100, changer: 'AMS lite' }),
  bambu('A2L', [330, 320, 325], { also: ['N9'], bed: 80 }),
  h2('H2D', [350, 320, 325], { also: ['O1D'], tools: 2 }),
  h2('H2D Pro', [350, 320, 325], { also: ['O1E', 'O2D'], tools: 2 }),
  h2('H2C', [330, 320, 325], { also: ['O1C', 'O1C2'], tools: 2 }),
  h2('H2S', [340, 320, 340], { also: ['O1S'] }),

  buddy('MK4S', mk4Size, { canPush: true }),
  buddy('MK4S MMU3', mk4Size, { ...mk4Variant, changer: 'MMU3' }),
  buddy('MK4', mk4Size, { also: ['MK4IS'], canPush: true }),
  buddy('MK4 MMU3', mk4Size, { ...mk4Variant, also: ['MK4IS MMU3'], changer: 'MMU3' }),
  buddy('MK3.9', mk4Size, mk4Variant),
  buddy('MK3.9 MMU3', mk4Size, { ...mk4Variant, changer: 'MMU3' }),
  buddy('MK3.9S', mk4Size, mk4Variant),
  buddy('MK3.9S MMU3', mk4Size, { ...mk4Variant, changer: 'MMU3' }),
  buddy('MK3.5', small, { canPush: true }),
  buddy('MK3.5 MMU3', small, { sizeFrom: 'sibling', changer: 'MMU3' }),
  buddy('MK3.5S', small, { sizeFrom: 'sibling' }),
  buddy('MK3.5S MMU3', small, { sizeFrom: 'sibling', changer: 'MMU3' }),
  prusa('MK3S', small, { also: ['MK3S+', 'MK3S & MK3S+'] }),
  prusa('MK3S MMU2S', small, { sizeFrom: 'sibling', also: ['MK3S & MK3S+ MMU2S'], changer: 'MMU2S' }),
  prusa('MK3S MMU3', small, { sizeFrom: 'sibling', also: ['MK3S & MK3S+ MMU3'], changer: 'MMU3' }),
  prusa('MK3', small, { sizeFrom: 'sibling' }),
  buddy('MINI', [180, 180, 180], { also: ['MINI+', 'MINI & MINI+', 'MINIIS', 'MINI Input Shaper'], bed: 100 }),
  buddy('XL', [360, 360, 360], { also: ['XLIS'], bed: 115 }),
  buddy('XL 2T', [360, 360, 360], { sizeFrom: 'sibling', also: ['XL2', 'XL2IS'], bed: 115, tools: 2 }),
  buddy('XL 5T', [360, 360, 360], { sizeFrom: 'sibling', also: ['XL5', 'XL5IS'], bed: 115, tools: 5 }),
  buddy('CORE One', [250, 220, 270], {
    also: ['CORE One+', 'CORE One & CORE One+'],
    bed: 115,
    isEnclosed: true,
  }),
  buddy('CORE One MMU3', [250, 220, 270], {
    also: ['CORE One & CORE One+ MMU3'],
    sizeFrom: 'sibling',
    bed: 115,
    isEnclosed: true,
    changer: 'MMU3',
  }),
  prusa('CORE One L', [300, 300, 331], { isEnclosed: true }),

  ender('Ender-3', [220, 220, 250], { also: ['Ender-3 Pro', 'Ender-3 V2'], canPush: true }),
  ender('Ender-3 S1', [220, 220, 270]),
  ender('Ender-3 S1 Pro', [220, 220, 270]),
  ender('Ender-5 S1', [220, 220, 300]),
  creality('Ender-3 V3', [220, 220, 250]),
  ender('Ender-3 V3 SE', [220, 220, 250], { canPush: true }),
  creality('Ender-3 V3 KE', [220, 220, 245]),
  creality('Ender-3 V3 Plus', [300, 300, 330]),
  creality('K1', [220, 220, 250], { isEnclosed: true }),
  creality('K1C', [220, 220, 250], { isEnclosed: true }),
  creality('K1 SE', [220, 220, 250]),
  creality('K1 Max', [300, 300, 300], { isEnclosed: true }),
  creality('K2', [260, 260, 260], { also: ['F021'], isEnclosed: true }),
  creality('K2 Pro', [300, 300, 300], {
    also: ['F012'],
    chamber: 60,
    heatersFrom: 'maker',
    heatsChamber: true,
    isEnclosed: true,
  }),
  creality('K2 Plus', [350, 350, 350], {
    also: ['F008'],
    nozzle: 350,
    chamber: 60,
    heatersFrom: 'maker',
    heatsChamber: true,
    isEnclosed: true,
  }),
  creality('Hi', [260, 260, 300], { also: ['F018'] }),

  centauri('Centauri', [257, 257, 257]),
  centauri('Centauri Carbon', [257, 257, 257], {
    also: ['CC1', 'ECC'],
    nozzle: 320,
    heatersFrom: 'maker',
    isEnclosed: true,
  }),
  centauri('Centauri Carbon 2', [256, 256, 256], {
    also: ['CC2', 'ECC2'],
    nozzle: 350,
    heatersFrom: 'maker',
    isEnclosed: true,
    changer: 'Canvas',
  }),
  neptune('Neptune 3 Pro', [230, 230, 280]),
  neptune('Neptune 4', [230, 230, 265]),
  neptune('Neptune 4 Pro', [230, 230, 265]),
  neptune('Neptune 4 Plus', [325, 325, 385]),
  neptune('Neptune 4 Max', [426, 426, 480]),

  voron('0.1', [120, 120, 120]),
  voron('0.2', [120, 120, 120], { sizeFrom: 'sibling' }),
  voron('2.4', null, { also: ['V2.4'] }),
  voron('2.4 250', [250, 250, 225], { also: ['V2.4 250', 'v2 250'] }),
  voron('2.4 300', [300, 300, 275], { also: ['V2.4 300', 'v2 300'] }),
  voron('2.4 350', [350, 350, 325], { also: ['V2.4 350', 'v2 350'] }),
  voron('Trident', null),
  voron('Trident 250', [250, 250, 250]),
  voron('Trident 300', [300, 300, 250]),
  // An older profile of it; what it can do hangs on how it was built.
  voron('Trident 350', [350, 350, 325]),
  voron('Switchwire', [250, 210, 240], { also: ['Switchwire 250'] }),

  sovol('SV06', [220, 220, 250]),
  sovol('SV06 Plus', [300, 300, 340]),
  sovol('SV07', [220, 220, 250]),
  sovol('SV07 Plus', [300, 300, 350]),
  sovol('SV08', [350, 350, 345]),

  klipper('qidi')('X-Smart 3', [180, 180, 170], { isEnclosed: true }),
  qidi('X-Plus 3', [280, 280, 270], { nozzle: 350, chamber: 65 }),
  qidi('X-Max 3', [325, 325, 320], { nozzle: 350, chamber: 65 }),
  qidi('X-Plus 4', [305, 305, 280], { also: ['Plus 4'], nozzle: 370, chamber: 65, changer: 'QIDI Box' }),
  qidi('Q1 Pro', [245, 245, 240], { nozzle: 350, chamber: 60 }),
  qidi('Q2', [270, 270, 260], { nozzle: 370, chamber: 65, changer: 'QIDI Box' }),

  anycubic('Kobra 2', [220, 220, 250]),
  anycubic('Kobra 3', [255, 255, 260], { changer: 'ACE Pro' }),
  anycubic('Kobra S1', [250, 250, 250], { nozzle: 320, heatersFrom: 'maker', isEnclosed: true, changer: 'ACE Pro' }),
  flashforge('Adventurer 5M', [220, 220, 220], { also: ['AD5M'] }),
  flashforge('Adventurer 5M Pro', [220, 220, 220], { also: ['AD5M Pro'], isEnclosed: true }),
  snapmaker('U1', [270, 270, 272], { tools: 4 }),
]
