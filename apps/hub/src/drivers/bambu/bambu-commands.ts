import type { FileToPrint } from '@printyard/protocol/commands'
import { type DeviceCommand, DriverError } from '../driver.ts'
import { countIn, memberOf, numberIn } from '../wire/wire-values.ts'
import type { AmsMapping } from './ams-mapping.ts'
import { activeExtruder, amsTrays, currentTray, EXTERNAL_TRAY, externalTrays } from './bambu-filament.ts'
import type { BambuTraits } from './bambu-models.ts'
import type { Group } from './bambu-mqtt.ts'
import { type BambuPicture, isRunning } from './bambu-report.ts'
import { openFaults } from './bambu-state.ts'

/** One request to a printer. */
export interface BambuRequest {
  group: Group
  command: string
  fields: Record<string, unknown>
}

/** At least this hot, or what is in the nozzle does not come out. */
const LEAST_UNLOAD_TEMP = 210
const USUAL_UNLOAD_TEMP = 220
/** Above this the flap of the chamber has to be shut first. */
const HOT_CHAMBER_TEMP = 40

/** Answers what a command is on the wire, for the printer as it is now. Throws a `DriverError` for what it cannot do. */
export function requestsFor(command: DeviceCommand, picture: BambuPicture, traits: BambuTraits): BambuRequest[] {
  const print = (name: string, fields: Record<string, unknown>): BambuRequest => ({
    group: 'print',
    command: name,
    fields,
  })
  switch (command.kind) {
    case 'pause':
    case 'resume':
      return [print(command.kind, { param: '' })]
    case 'stop': {
      const error = numberIn(picture.print.print_error)
      // Without a job a stop acknowledges what the printer complains of.
      if (!isRunning(picture) && ((error !== null && error > 0) || openFaults(picture).length > 0)) {
        return [print('clean_print_error', { subtask_id: picture.print.subtask_id ?? '', print_error: error ?? 0 })]
      }
      return [print('stop', { param: '' })]
    }
    case 'heaters':
      return [print('gcode_line', { param: `${heaterLines(command.args, picture, traits).join('\n')}\n` })]
    case 'light': {
      const nodes = traits.hasTwoLights ? ['chamber_light', 'chamber_light2'] : ['chamber_light']
      return nodes.map((node) => ({
        group: 'system',
        command: 'ledctrl',
        fields: {
          led_node: node,
          led_mode: command.args.on ? 'on' : 'off',
          led_on_time: 500,
          led_off_time: 500,
          loop_times: 0,
          interval_time: 0,
        },
      }))
    }
    case 'load_filament': {
      const tray = trayToLoad(command.args.slot, picture)
      const { temperature } = command.args
      return [print('ams_change_filament', { ...tray, curr_temp: -1, tar_temp: temperature ?? -1 })]
    }
    case 'unload_filament': {
      const temp = Math.max(LEAST_UNLOAD_TEMP, command.args.temperature ?? USUAL_UNLOAD_TEMP)
      const unit = currentTray(picture)?.unit ?? 255
      return [
        print('ams_change_filament', { ams_id: unit, slot_id: 255, target: 255, curr_temp: temp, tar_temp: temp }),
      ]
    }
  }
}

function heaterLines(
  { nozzle, bed, chamber }: { nozzle?: number; bed?: number; chamber?: number },
  { print }: BambuPicture,
  { chamberHeater, hasTwoNozzles }: BambuTraits,
): string[] {
  if (chamber !== undefined && chamberHeater === 'none') {
    throw new DriverError('NOT_SUPPORTED', 'the printer has no chamber heater')
  }
  const lines: string[] = []
  const active = countIn(memberOf(activeExtruder(print), 'id')) ?? 0
  if (nozzle !== undefined) lines.push(`M104${hasTwoNozzles ? ` T${active}` : ''} S${Math.round(nozzle)}`)
  if (bed !== undefined) lines.push(`M140 S${Math.round(bed)}`)
  if (chamber !== undefined) {
    const target = `M141 S${Math.round(chamber)}`
    if (chamberHeater === 'plain') lines.push(target)
    else if (chamber > HOT_CHAMBER_TEMP) lines.push('M145 P1', target)
    else lines.push(target, 'M145 P0')
  }
  return lines
}

function trayToLoad(slot: number | null, picture: BambuPicture) {
  const trays = amsTrays(picture)
  const externals = externalTrays(picture)
  const hasOneHolder = trays.length === 0 && externals.length < 2
  const isOutside = slot === null ? hasOneHolder : slot >= EXTERNAL_TRAY
  if (isOutside) {
    // That a left nozzle goes by its own number here is a guess: nothing that is published tells.
    const unit = externals.length < 2 ? 255 : (slot ?? 255)
    return { ams_id: unit, slot_id: EXTERNAL_TRAY, target: EXTERNAL_TRAY }
  }
  if (slot === null) throw new DriverError('REFUSED', 'say which slot: the printer has several')
  const tray = trays.find(({ number }) => number === slot)
  if (!tray) throw new DriverError('REFUSED', `the printer has no slot ${slot}`)
  if (tray.isEmpty) throw new DriverError('REFUSED', `slot ${slot} is empty`)
  return { ams_id: tray.unit, slot_id: tray.slot, target: tray.number }
}

/** The start of a plate out of an archive. `subtaskId` is the number that the printer will show for the run. */
export function projectFileRequest(
  fileName: string,
  file: Pick<FileToPrint, 'archive_plate'>,
  subtaskId: string,
  mapping: AmsMapping,
  traits: BambuTraits,
): BambuRequest {
  return {
    group: 'print',
    command: 'project_file',
    fields: {
      param: `Metadata/plate_${file.archive_plate ?? 1}.gcode`,
      url: `ftp:///${fileName}`,
      file: fileName,
      md5: '',
      // The whole name, so that the run is found by it on models that do not tell the file.
      subtask_name: fileName,
      subtask_id: subtaskId,
      task_id: subtaskId,
      project_id: subtaskId,
      profile_id: '0',
      bed_type: 'auto',
      timelapse: false,
      bed_leveling: true,
      flow_cali: false,
      vibration_cali: !traits.refusesVibrationCali,
      layer_inspect: false,
      ...(traits.hasTwoNozzles && { auto_bed_leveling: 1, extrude_cali_flag: 0, nozzle_offset_cali: 2 }),
      ...mapping,
    },
  }
}

/** The start of plain G-code: no plate, no spools, and no number of our choice. */
export function gcodeFileRequest(fileName: string): BambuRequest {
  return { group: 'print', command: 'gcode_file', fields: { param: `/${fileName}` } }
}
