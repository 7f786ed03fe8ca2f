import type { CommandKind } from '@printyard/protocol/command-kinds'

/** What a person may want of a printer, beside printing itself. */
export const wishes = [
  'print',
  'pause',
  'resume',
  'stop',
  'heaters',
  'light',
  'load_filament',
  'unload_filament',
  'camera',
  'slots',
  'filament_map',
  'firmware_version',
] as const satisfies readonly (CommandKind | 'camera' | 'slots' | 'filament_map' | 'firmware_version')[]
type Wish = (typeof wishes)[number]

/** Ability of a family, or what it depends on. */
type Ability = boolean | string

export const families = [
  'virtual',
  'bambu',
  'moonraker',
  'octoprint',
  'prusalink_buddy',
  'prusalink_pi',
  'elegoo_cc',
  'elegoo_cc2',
  'creality',
] as const
export type Family = (typeof families)[number]

const prints = { print: true, pause: true, resume: true, stop: true } as const

/**
 * What each family of printers can be asked through its driver. The conformance tests hold each driver to it, and
 * docs/hub/capabilities.md is printed from it by `write-capabilities.ts`.
 */
export const abilities: Record<Family, Record<Wish, Ability>> = {
  virtual: {
    ...prints,
    heaters: true,
    light: true,
    load_filament: true,
    unload_filament: true,
    camera: true,
    slots: false,
    filament_map: false,
    firmware_version: true,
  },
  bambu: {
    ...prints,
    heaters: true,
    light: true,
    load_filament: true,
    unload_filament: true,
    camera: 'A1, A2L and P1; the others stream video only',
    slots: true,
    filament_map: 'for .gcode.3mf files',
    firmware_version: true,
  },
  moonraker: {
    ...prints,
    heaters: true,
    light: 'with a pin or LED whose name says light',
    load_filament: 'with a macro LOAD_FILAMENT, FILAMENT_LOAD or M701',
    unload_filament: 'with a macro UNLOAD_FILAMENT, FILAMENT_UNLOAD or M702',
    camera: 'with a webcam that has a snapshot address at the printer',
    slots: 'with Happy Hare',
    filament_map: 'with Happy Hare',
    firmware_version: true,
  },
  octoprint: {
    ...prints,
    heaters: true,
    light: 'with G-code in the connection',
    load_filament: 'with G-code in the connection',
    unload_filament: 'with G-code in the connection',
    camera: 'with a webcam that has a snapshot address at the printer',
    slots: false,
    filament_map: false,
    firmware_version: 'once the firmware has told its name',
  },
  prusalink_buddy: {
    ...prints,
    heaters: false,
    light: false,
    load_filament: false,
    unload_filament: false,
    camera: false,
    slots: false,
    filament_map: false,
    firmware_version: 'where the firmware tells it',
  },
  prusalink_pi: {
    ...prints,
    heaters: true,
    light: false,
    load_filament: false,
    unload_filament: false,
    camera: 'with a camera that is set up in PrusaLink',
    slots: false,
    filament_map: false,
    firmware_version: true,
  },
  elegoo_cc: {
    ...prints,
    heaters: true,
    light: true,
    load_filament: false,
    unload_filament: false,
    camera: true,
    slots: false,
    filament_map: false,
    firmware_version: true,
  },
  elegoo_cc2: {
    ...prints,
    heaters: true,
    light: true,
    load_filament: false,
    unload_filament: false,
    camera: true,
    slots: 'with a Canvas',
    filament_map: 'with a Canvas',
    firmware_version: true,
  },
  creality: {
    ...prints,
    heaters: true,
    light: true,
    load_filament: 'with G-code in the connection',
    unload_filament: 'with G-code in the connection',
    camera: 'not the K2 family, which streams by WebRTC only',
    slots: 'with a material box',
    filament_map: 'with a material box',
    firmware_version: true,
  },
}

const familyNames: Record<Family, string> = {
  virtual: 'Virtual',
  bambu: 'Bambu Lab',
  moonraker: 'Klipper through Moonraker',
  octoprint: 'OctoPrint',
  prusalink_buddy: 'PrusaLink in the firmware',
  prusalink_pi: 'PrusaLink on a Raspberry Pi',
  elegoo_cc: 'Elegoo Centauri Carbon',
  elegoo_cc2: 'Elegoo Centauri Carbon 2',
  creality: 'Creality K series',
}

const wishNames: Record<Wish, string> = {
  print: 'Upload with progress, and start',
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop',
  heaters: 'Heaters',
  light: 'Light',
  load_filament: 'Load filament',
  unload_filament: 'Unload filament',
  camera: 'Camera still',
  slots: 'Slots',
  filament_map: 'A slot for each filament of a print',
  firmware_version: 'Firmware version',
}

/** The page for people, as Markdown: a table of every family, and beneath it what `with conditions` depends on. */
export function describeCapabilities(): string {
  const conditions: string[] = []
  const rows = wishes.map((wish) => {
    const cells = families.map((family) => {
      const ability = abilities[family][wish]
      if (typeof ability === 'boolean') return ability ? 'yes' : 'no'
      conditions.push(`- ${familyNames[family]}, ${wishNames[wish].toLowerCase()}: ${ability}.`)
      return 'conditions'
    })
    return `| ${[wishNames[wish], ...cells].join(' | ')} |`
  })
  return [
    '# What each family of printers can do',
    '',
    'Printed from `apps/hub/src/drivers/family-capabilities.ts` by `node apps/hub/src/drivers/write-capabilities.ts`; tests hold the',
    'drivers to it. What a printer cannot do is answered `not_supported`, without asking it.',
    '',
    `| | ${families.map((family) => familyNames[family]).join(' | ')} |`,
    `|---|${families.map(() => '---').join('|')}|`,
    ...rows,
    '',
    '## Conditions',
    '',
    ...conditions,
    '',
    '## Cameras',
    '',
    '`GET /printers/{id}/snapshot` answers one JPEG, at most a second old and at most 2 MiB. The hub opens one connection to a camera',
    'however many look, and closes it after the picture. It asks only the host of the printer itself, whatever address OctoPrint,',
    'Moonraker or the printer names; an address on `localhost` means that host. A picture is not turned or mirrored.',
    '',
    'Any printer can be given another camera: put `camera_url` into its `connection`, an `http` or `https` address that answers with a',
    'JPEG or an MJPEG stream, wherever it is, with a login in it where it takes one. Where a camera listens at another port than usual,',
    '`camera_port` names it.',
    '',
    'The camera picture of a print that fails or is stopped is [kept with the failure](../reports.md#failures-and-what-the-camera-saw).',
    '',
    '## Transfers',
    '',
    '`GET /printers/{id}/transfer` tells, while a print file is on its way from the hub to the printer, how many bytes were handed over.',
    '',
  ].join('\n')
}
