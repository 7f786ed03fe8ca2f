import { createHash } from 'node:crypto'
import { buildZip, type ZipEntryOptions } from './build-zip.ts'

/** A filament of a built plate. `id` counts the project's filaments from 1, as in the format. */
interface BuiltFilament {
  id: number
  type: string
  color: string
  presetId: string
  usedM: number
  usedG: number
}

/** A plate of a built archive; everything has a small, valid default. */
interface BuiltPlate {
  index: number
  gcode: string
  name: string
  predictionSeconds: number
  weightG: number
  printerModelId: string
  filaments: BuiltFilament[]
  /** The logical extruder of each filament of the project, from 1. */
  filamentMaps: string | undefined
  objects: { id: number; name: string }[]
  bedType: string
  thumbnail: Uint8Array | undefined
  /** Replaces the true MD5. */
  md5: string | undefined
}

interface BuildGcode3mfOptions {
  plates?: Partial<BuiltPlate>[]
  version?: string
  /** `project_settings.config`. */
  settings?: Record<string, string | string[]>
  /** Replace entries of the same name, or come in addition; `null` leaves an entry out. */
  entries?: Record<string, string | Uint8Array | null>
}

const smallGcode = `; HEADER_BLOCK_START
; BambuStudio 02.04.00.70
; model printing time: 9m 10s; total estimated time: 15m 0s
; total layer number: 2
; HEADER_BLOCK_END
; EXECUTABLE_BLOCK_START
M104 S220
M140 S55
; CHANGE_LAYER
; Z_HEIGHT: 0.2
G1 X10 Y10 Z0.2 E1
; CHANGE_LAYER
; Z_HEIGHT: 0.4
G1 X20 Y20 Z0.4 E1
; EXECUTABLE_BLOCK_END
`

/**
 * A sliced archive as Bambu Studio writes it. For tests and sample files only; it is no exporter: the model inside is
 * an empty frame.
 */
export function buildGcode3mf(options: BuildGcode3mfOptions = {}): Buffer {
  const version = options.version ?? '02.04.00.70'
  const plates = (options.plates ?? [{}]).map(withDefaults)
  const entries = new Map<string, string | Uint8Array>()
  entries.set('[Content_Types].xml', contentTypes)
  entries.set('_rels/.rels', relations)
  entries.set('3D/3dmodel.model', model(version))
  for (const plate of plates) {
    const path = `Metadata/plate_${plate.index}`
    entries.set(`${path}.gcode`, plate.gcode)
    entries.set(`${path}.gcode.md5`, plate.md5 ?? createHash('md5').update(plate.gcode).digest('hex').toUpperCase())
    entries.set(`${path}.json`, geometry(plate))
    if (plate.thumbnail !== undefined) entries.set(`${path}.png`, plate.thumbnail)
  }
  entries.set('Metadata/slice_info.config', sliceInfo(version, plates))
  entries.set('Metadata/model_settings.config', modelSettings(plates))
  entries.set('Metadata/project_settings.config', JSON.stringify({ ...defaultSettings, ...options.settings }, null, 4))
  for (const [name, bytes] of Object.entries(options.entries ?? {})) {
    if (bytes === null) entries.delete(name)
    else entries.set(name, bytes)
  }
  return buildZip(
    [...entries].map(([name, bytes]): ZipEntryOptions => ({ name, bytes, isStored: name.endsWith('.png') })),
  )
}

const defaultSettings = {
  printer_model: 'Bambu Lab P1S',
  printer_settings_id: 'Bambu Lab P1S 0.4 nozzle',
  print_settings_id: '0.20mm Standard @BBL X1C',
  nozzle_diameter: ['0.4'],
  layer_height: '0.2',
  initial_layer_print_height: '0.2',
  curr_bed_type: 'Textured PEI Plate',
  textured_plate_temp: ['55'],
  nozzle_temperature: ['220'],
  filament_type: ['PLA'],
  filament_colour: ['#FFFFFF'],
  filament_density: ['1.26'],
  filament_diameter: ['1.75'],
}

function withDefaults(plate: Partial<BuiltPlate>, position: number): BuiltPlate {
  return {
    index: position + 1,
    gcode: smallGcode,
    name: '',
    predictionSeconds: 900,
    weightG: 3.05,
    printerModelId: 'C12',
    filaments: [{ id: 1, type: 'PLA', color: '#FFFFFF', presetId: 'GFA00', usedM: 1.01, usedG: 3.05 }],
    objects: [{ id: 72, name: 'part' }],
    filamentMaps: undefined,
    bedType: 'textured_plate',
    thumbnail: undefined,
    md5: undefined,
    ...plate,
  }
}

function sliceInfo(version: string, plates: readonly BuiltPlate[]): string {
  const platesXml = plates.map((plate) => {
    const metadata = {
      index: plate.index,
      printer_model_id: plate.printerModelId,
      nozzle_diameters: '0.4',
      prediction: plate.predictionSeconds,
      weight: plate.weightG.toFixed(2),
      outside: false,
      ...(plate.filamentMaps !== undefined && { filament_maps: plate.filamentMaps }),
    }
    return [
      '  <plate>',
      ...Object.entries(metadata).map(([key, value]) => `    <metadata key="${key}" value="${value}"/>`),
      ...plate.objects.map(
        ({ id, name }) => `    <object identify_id="${id}" name="${escapeXml(name)}" skipped="false" />`,
      ),
      ...plate.filaments.map(
        ({ id, type, color, presetId, usedM, usedG }) =>
          `    <filament id="${id}" tray_info_idx="${presetId}" type="${escapeXml(type)}" color="${color}" used_m="${usedM}" used_g="${usedG}" />`,
      ),
      '  </plate>',
    ].join('\n')
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<config>
  <header>
    <header_item key="X-BBL-Client-Type" value="slicer"/>
    <header_item key="X-BBL-Client-Version" value="${version}"/>
  </header>
${platesXml.join('\n')}
</config>
`
}

function modelSettings(plates: readonly BuiltPlate[]): string {
  const platesXml = plates.map(
    ({ index, name }) => `  <plate>
    <metadata key="plater_id" value="${index}"/>
    <metadata key="plater_name" value="${escapeXml(name)}"/>
    <metadata key="locked" value="false"/>
    <metadata key="gcode_file" value="Metadata/plate_${index}.gcode"/>
    <metadata key="thumbnail_file" value="Metadata/plate_${index}.png"/>
  </plate>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<config>\n${platesXml.join('\n')}\n</config>\n`
}

function geometry({ filaments, bedType, objects }: BuiltPlate): string {
  return JSON.stringify({
    bbox_all: [100, 100, 150, 150],
    bbox_objects: objects.map(({ id, name }) => ({
      area: 2500,
      bbox: [100, 100, 150, 150],
      id,
      layer_height: 0.2,
      name,
    })),
    bed_type: bedType,
    filament_colors: filaments.map(({ color }) => color),
    filament_ids: filaments.map(({ id }) => id - 1),
    first_extruder: (filaments[0]?.id ?? 1) - 1,
    is_seq_print: false,
    nozzle_diameter: 0.4000000059604645,
    version: 2,
  })
}

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')
}

const contentTypes = `<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
 <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
 <Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>
 <Default Extension="png" ContentType="image/png"/>
 <Default Extension="gcode" ContentType="text/x.gcode"/>
</Types>
`

const relations = `<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
 <Relationship Target="/3D/3dmodel.model" Id="rel-1" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>
</Relationships>
`

function model(version: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<model unit="millimeter" xml:lang="en-US" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">
 <metadata name="Application">BambuStudio-${version}</metadata>
 <resources/>
 <build/>
</model>
`
}
