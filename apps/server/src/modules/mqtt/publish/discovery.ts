import type { PrinterRow } from '../../../db/rows.generated.ts'
import type { AllowedCommand } from '../settings/allowed-commands.ts'
import {
  discoveryTopic,
  farmStateTopic,
  printerCommandTopic,
  printerStateTopic,
  serviceStatusTopic,
  type TopicSettings,
} from '../topics/topics.ts'

type DiscoveredPrinter = Pick<PrinterRow, 'id' | 'name' | 'model' | 'location'>

interface DiscoverySettings extends TopicSettings {
  version: string
  allowed_commands: readonly AllowedCommand[]
}

/** A retained message by which Home Assistant finds a device. */
export interface DiscoveryMessage {
  topic: string
  config: Record<string, unknown>
}

type Component = { platform: string; name: string; unique_id: string } & Record<string, unknown>

const statuses = ['idle', 'printing', 'paused', 'maintenance', 'error', 'offline']

/** IDs of ours hold letters, digits and `_` only, as Home Assistant asks of them. */
const farmObject = ({ account_id }: TopicSettings) => `printyard_${account_id}`
const printerObject = (printer: Pick<DiscoveredPrinter, 'id'>) => `printyard_${printer.id}`

/** The device that stands for the service, which the printers belong to. */
export function describeFarm(settings: DiscoverySettings): DiscoveryMessage {
  const object = farmObject(settings)
  const topic = farmStateTopic(settings)
  return {
    topic: discoveryTopic(settings, object),
    config: {
      device: { identifiers: [object], name: 'Printyard', manufacturer: 'Printyard', model: 'Farm' },
      origin: originOf(settings),
      availability: [{ topic: serviceStatusTopic(settings) }],
      components: {
        open_tasks: {
          platform: 'sensor',
          name: 'Open tasks',
          unique_id: `${object}_open_tasks`,
          state_topic: topic,
          value_template: '{{ value_json.open_tasks }}',
          state_class: 'measurement',
          icon: 'mdi:clipboard-list',
        },
        printing: {
          platform: 'sensor',
          name: 'Printers printing',
          unique_id: `${object}_printing`,
          state_topic: topic,
          value_template: '{{ value_json.printing }}',
          state_class: 'measurement',
          icon: 'mdi:printer-3d',
        },
        needs_person: {
          platform: 'binary_sensor',
          name: 'Needs a person',
          unique_id: `${object}_needs_person`,
          state_topic: topic,
          value_template: "{{ 'ON' if value_json.needs_person else 'OFF' }}",
          device_class: 'problem',
        },
      },
    },
  }
}

/** A printer with its sensors, and a button for each command that may be given. */
export function describePrinter(settings: DiscoverySettings, printer: DiscoveredPrinter): DiscoveryMessage {
  const object = printerObject(printer)
  return {
    topic: discoveryTopic(settings, object),
    config: {
      device: {
        identifiers: [object],
        name: printer.name,
        model: printer.model,
        via_device: farmObject(settings),
        ...(printer.location !== '' && { suggested_area: printer.location }),
      },
      origin: originOf(settings),
      availability: [{ topic: serviceStatusTopic(settings) }],
      components: {
        ...sensorsOf(settings, printer, object),
        ...commandsOf(settings, printer, object),
      },
    },
  }
}

const originOf = ({ version }: DiscoverySettings) => ({ name: 'Printyard', sw_version: version })

function sensorsOf(settings: DiscoverySettings, { id }: DiscoveredPrinter, object: string): Record<string, Component> {
  const topic = printerStateTopic(settings, id)
  const sensor = (field: string, name: string, more: Record<string, unknown> = {}): [string, Component] => [
    field,
    {
      platform: 'sensor',
      name,
      unique_id: `${object}_${field}`,
      state_topic: topic,
      value_template: `{{ value_json.${field} }}`,
      ...more,
    },
  ]
  const binary = (field: string, name: string, more: Record<string, unknown>): [string, Component] => [
    field,
    {
      platform: 'binary_sensor',
      name,
      unique_id: `${object}_${field}`,
      state_topic: topic,
      value_template: `{{ 'ON' if value_json.${field} else 'OFF' }}`,
      ...more,
    },
  ]
  const temperature = {
    device_class: 'temperature',
    unit_of_measurement: '°C',
    state_class: 'measurement',
    entity_category: 'diagnostic',
  }
  return Object.fromEntries([
    sensor('state', 'State', { device_class: 'enum', options: statuses, icon: 'mdi:printer-3d' }),
    sensor('progress', 'Progress', { unit_of_measurement: '%', icon: 'mdi:percent' }),
    sensor('remaining_minutes', 'Time left', { device_class: 'duration', unit_of_measurement: 'min' }),
    sensor('job', 'Job', { icon: 'mdi:file-cad' }),
    sensor('plate', 'Plate', { device_class: 'enum', options: ['clear', 'occupied', 'unknown'], icon: 'mdi:tray' }),
    binary('needs_person', 'Needs a person', {
      device_class: 'problem',
      json_attributes_topic: topic,
      json_attributes_template: '{{ {"needs": value_json.needs, "open_tasks": value_json.open_tasks} | tojson }}',
    }),
    binary('reachable', 'Reachable', { device_class: 'connectivity', entity_category: 'diagnostic' }),
    sensor('nozzle_temp', 'Nozzle', temperature),
    sensor('bed_temp', 'Bed', temperature),
    sensor('layer', 'Layer', { entity_category: 'diagnostic', icon: 'mdi:layers' }),
  ])
}

/** Only while the printer can be reached. Cancelling is not shown until it is switched on in Home Assistant. */
function commandsOf(settings: DiscoverySettings, { id }: DiscoveredPrinter, object: string): Record<string, Component> {
  const stateTopic = printerStateTopic(settings, id)
  const shared = {
    command_topic: printerCommandTopic(settings, id),
    availability: [
      { topic: serviceStatusTopic(settings) },
      { topic: stateTopic, value_template: "{{ 'online' if value_json.reachable else 'offline' }}" },
    ],
    availability_mode: 'all',
  }
  const button = (command: string, name: string, icon: string, more: object = {}): Component => ({
    platform: 'button',
    name,
    unique_id: `${object}_${command}`,
    payload_press: command,
    icon,
    ...shared,
    ...more,
  })
  const components: Record<AllowedCommand, Component> = {
    pause: button('pause', 'Pause', 'mdi:pause'),
    resume: button('resume', 'Resume', 'mdi:play'),
    stop: button('stop', 'Stop', 'mdi:stop', { entity_category: 'config', enabled_by_default: false }),
    light: {
      platform: 'switch',
      name: 'Light',
      unique_id: `${object}_light`,
      icon: 'mdi:lightbulb',
      payload_on: 'light_on',
      payload_off: 'light_off',
      state_topic: stateTopic,
      value_template: '{{ value_json.light }}',
      state_on: 'ON',
      state_off: 'OFF',
      ...shared,
    },
  }
  return Object.fromEntries(settings.allowed_commands.map((command) => [command, components[command]]))
}
