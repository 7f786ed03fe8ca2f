/** What the demo farm consists of. Prints are believable, names are plain. */

interface DemoPrinter {
  name: string
  model: string
  manufacturer: string
  location: string
  /** Type, name of the colour, its value. */
  filament: readonly [type: string, color: string, hex: string]
  /** Its filament changer or tools, place by place; null for an empty place. */
  slots?: readonly ({ type: string; color_hex: string } | null)[]
}

export const demoPrinters: readonly DemoPrinter[] = [
  {
    name: 'North 1',
    model: 'MK4S',
    manufacturer: 'Prusa',
    location: 'North wall',
    filament: ['PLA', 'Orange', '#F26B21'],
  },
  {
    name: 'North 2',
    model: 'MK4S',
    manufacturer: 'Prusa',
    location: 'North wall',
    filament: ['PLA', 'Orange', '#F26B21'],
  },
  {
    name: 'North 3',
    model: 'MK3S',
    manufacturer: 'Prusa',
    location: 'North wall',
    filament: ['PETG', 'Black', '#1A1A1A'],
  },
  {
    name: 'North 4',
    model: 'CORE One',
    manufacturer: 'Prusa',
    location: 'North wall',
    filament: ['PLA', 'Grey', '#8A8D8F'],
  },
  {
    name: 'South 1',
    model: 'XL2',
    manufacturer: 'Prusa',
    location: 'South bench',
    filament: ['PLA', 'Black', '#111111'],
    slots: [
      { type: 'PLA', color_hex: '#111111' },
      { type: 'PLA', color_hex: '#F2C200' },
    ],
  },
  {
    name: 'South 2',
    model: 'P1S',
    manufacturer: 'Bambu Lab',
    location: 'South bench',
    filament: ['PLA', 'Blue', '#1F5FA8'],
  },
  {
    name: 'South 3',
    model: 'P1S',
    manufacturer: 'Bambu Lab',
    location: 'South bench',
    filament: ['PLA', 'Blue', '#1F5FA8'],
    slots: [
      { type: 'PLA', color_hex: '#1F5FA8' },
      { type: 'PLA', color_hex: '#F5F5F0' },
      { type: 'PETG', color_hex: '#1A1A1A' },
      null,
    ],
  },
  {
    name: 'South 4',
    model: 'Ender-3',
    manufacturer: 'Creality',
    location: 'South bench',
    filament: ['PLA', 'Green', '#2E8B57'],
  },
]

/** The printer whose first print fails, so that a failure can be seen. */
export const unluckyPrinter = 'South 4'

interface DemoProduct {
  /** The sliced file in `demo-files` of the server. */
  file: string
  /** The sliced file that its picture is drawn from. */
  picture: string
  name: string
  description: string
  category: string
  sku: string
  color: string
  hexCode: string
  filamentType: string
  /** Units on one plate. */
  perPlate: number
  threshold: number
  /** Printers of this model print it. */
  model: string
}

export const demoProducts: DemoProduct[] = [
  {
    file: 'shelf-bracket_mk4s_pla.gcode',
    picture: 'shelf-bracket_mk4s_pla.gcode',
    name: 'Shelf bracket',
    description: 'Holds a board of 18 mm on a wall.',
    category: 'Home',
    sku: 'BRACKET-ORANGE',
    color: 'Orange',
    hexCode: '#F26B21',
    filamentType: 'PLA',
    perPlate: 1,
    threshold: 6,
    model: 'MK4S',
  },
  {
    file: 'cable-box_mk3s_petg.gcode',
    picture: 'cable-box_mk3s_petg.gcode',
    name: 'Cable box',
    description: 'Hides a socket strip under a desk.',
    category: 'Office',
    sku: 'CABLEBOX-BLACK',
    color: 'Black',
    hexCode: '#1A1A1A',
    filamentType: 'PETG',
    perPlate: 1,
    threshold: 2,
    model: 'MK3S',
  },
  {
    file: 'shelf-brackets_core-one_pla.bgcode',
    picture: 'shelf-bracket_mk4s_pla.gcode',
    name: 'Shelf bracket, pair',
    description: 'Two brackets, one plate.',
    category: 'Home',
    sku: 'BRACKETS-GREY',
    color: 'Grey',
    hexCode: '#8A8D8F',
    filamentType: 'PLA',
    perPlate: 2,
    threshold: 4,
    model: 'CORE One',
  },
  {
    file: 'door-sign_xl_two-colours.gcode',
    picture: 'door-sign_xl_two-colours.gcode',
    name: 'Door sign',
    description: 'Two colours, readable from four metres.',
    category: 'Office',
    sku: 'SIGN-BLACK',
    color: 'Black',
    hexCode: '#111111',
    filamentType: 'PLA',
    perPlate: 1,
    threshold: 3,
    model: 'XL2',
  },
  {
    file: 'cable-clips_p1s_pla.gcode.3mf',
    picture: 'cable-clips_p1s_pla.gcode.3mf',
    name: 'Cable clips',
    description: 'Four clips for the edge of a desk.',
    category: 'Office',
    sku: 'CLIPS-BLUE',
    color: 'Blue',
    hexCode: '#1F5FA8',
    filamentType: 'PLA',
    perPlate: 4,
    threshold: 8,
    model: 'P1S',
  },
  {
    file: 'wall-hook_ender3.gcode',
    picture: 'wall-hook_ender3.gcode',
    name: 'Wall hook',
    description: 'Carries a coat and a bag.',
    category: 'Home',
    sku: 'HOOK-GREEN',
    color: 'Green',
    hexCode: '#2E8B57',
    filamentType: 'PLA',
    perPlate: 1,
    threshold: 5,
    model: 'Ender-3',
  },
]

/** What the farm buys: kind, and what is there at the beginning. */
export const demoMaterials = [
  {
    kind: 'filament',
    name: 'PLA black',
    ...{ type: 'PLA', brand: 'Plain', color: 'Black', hex_code: '#1A1A1A', diameter: 1.75, location: 'Shelf 1' },
    ...{ remaining_grams: 870, spool_weight_grams: 1000, low_threshold: 150 },
    tag: '04A35B129C6480',
  },
  {
    kind: 'filament',
    name: 'PETG white',
    ...{ type: 'PETG', brand: 'Plain', color: 'White', hex_code: '#F4F4F2', diameter: 1.75, location: 'Shelf 2' },
    ...{ remaining_grams: 120, spool_weight_grams: 1000, low_threshold: 150 },
  },
  {
    kind: 'components',
    name: 'Screw 3 × 20',
    type: 'screw',
    size: '3 × 20 mm',
    remaining_units: 900,
    low_threshold: 100,
  },
  { kind: 'components', name: 'Wall plug 6', type: 'wall plug', size: '6 mm', remaining_units: 320, low_threshold: 80 },
  {
    kind: 'packaging',
    name: 'Carton M',
    type: 'carton',
    size: '300 × 200 × 120 mm',
    remaining_units: 60,
    low_threshold: 20,
  },
] as const

/** A kit: put together from what the farm prints and buys. */
export const demoKit = {
  name: 'Desk set',
  description: 'A cable box and clips, with screws and plugs.',
  category: 'Office',
  sku: 'DESKSET-BLACK',
  color: 'Black',
  hexCode: '#1A1A1A',
  threshold: 2,
  children: { 'CABLEBOX-BLACK': 1, 'CLIPS-BLUE': 2 },
  materials: { 'Screw 3 × 20': 4, 'Wall plug 6': 4, 'Carton M': 1 },
} as const

/** Articles of the wiki: how things are done on this farm. */
export const demoArticles = [
  {
    title: 'Taking a print off',
    category: 'Floor',
    excerpt: 'From the beep to a plate that is clear again.',
    difficulty: 'easy',
    estimated_time_minutes: 3,
    tools_required: ['Scraper', 'Bin'],
    tags: ['plate', 'collection'],
    sections: [
      {
        type: 'step',
        number: 1,
        title: 'Wait',
        content: 'Let the bed cool below 35 °C; the print comes off by itself.',
      },
      { type: 'step', number: 2, title: 'Bend', content: 'Take the sheet out and bend it away from the print.' },
      { type: 'warning', title: 'No blade on textured sheets', content: 'Scratches stay for good.' },
      {
        type: 'step',
        number: 3,
        title: 'Say so',
        content: 'Put the sheet back and clear the plate, or nothing starts.',
      },
    ],
  },
  {
    title: 'Changing the filament',
    category: 'Floor',
    excerpt: 'Unload, cut at an angle, load, purge until the colour is clean.',
    difficulty: 'easy',
    estimated_time_minutes: 5,
    tools_required: ['Side cutter'],
    tags: ['filament'],
    sections: [
      {
        type: 'step',
        number: 1,
        title: 'Unload',
        content: 'Heat for the filament that is in, not for the one that comes.',
      },
      { type: 'step', number: 2, title: 'Load', content: 'Cut the end at an angle, push it in, purge 20 cm.' },
      { type: 'note', title: 'Moisture', content: 'PETG that lay open for a week goes into the dryer first.' },
    ],
  },
] as const

/**
 * Programs that the farm tells of what happens: a path is one of the demo on this machine. Names below .invalid exist nowhere, so that nothing
 * leaves it.
 */
export const demoWebhooks = [
  {
    url: '/shop',
    description: 'Shop: what was shipped, what runs low, and what is printed',
    event_types: ['order.fulfilled', 'inventory.low', 'job.completed', 'job.failed'],
  },
  {
    url: 'https://erp.demo.invalid/events',
    description: 'ERP: not connected yet',
    event_types: ['job.*', 'order.*'],
  },
] as const

/** Channel by which people are told: the program of the demo that takes webhooks. */
export const demoChannel = { name: 'Workshop screen', path: '/workshop' } as const

/** What waits for a person's hands when the farm begins. */
export const demoTasks = [
  { title: 'Oil the rods of North 3', task_type: 'maintenance', priority: 'low', estimated_time_minutes: 15 },
  {
    title: 'Check the first layer of South 1',
    task_type: 'quality_check',
    priority: 'medium',
    estimated_time_minutes: 5,
  },
  { title: 'Fill up PETG Black', task_type: 'filament_change', priority: 'high', estimated_time_minutes: 5 },
] as const
