import Type, { type Static } from 'typebox'
import { nullable, oneOf, request, resource, timestamp } from '../../../http/schema.ts'
import type { BrokerSettings } from '../link/broker-link.ts'
import { allowedCommands } from './allowed-commands.ts'
import type { BrokerRow } from './broker.queries.ts'

export const defaultBaseTopic = 'printyard'
export const defaultDiscoveryPrefix = 'homeassistant'

const topic = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 100, description, examples: [example] })
const commands = Type.Array(oneOf(allowedCommands, { description: 'A command', examples: ['pause'] }), {
  maxItems: allowedCommands.length,
  uniqueItems: true,
  description: 'Commands that printers accept by MQTT; empty: none',
  examples: [['pause', 'resume']],
})
const secret = (description: string, maxLength: number, example: string) =>
  Type.Optional(nullable(Type.String({ minLength: 1, maxLength, description, examples: [example] })))

const url = Type.String({
  minLength: 1,
  maxLength: 300,
  description:
    'Address of the broker, `mqtts://…` or `mqtt://…`; one in a local network needs the operator to allow that network',
  examples: ['mqtts://broker.example.com:8883'],
})

export const BrokerBody = request(
  {
    url: Type.Optional(url),
    username: secret('User name at the broker; null for none', 200, 'printyard'),
    password: secret(
      'Password at the broker; null for none. It is encrypted, and never answered',
      500,
      'correct horse',
    ),
    ca: secret(
      'Certificate of the authority that the certificate of the broker is of, as PEM; null: those that are known anyway',
      20_000,
      '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----',
    ),
    base_topic: Type.Optional(topic('Below it states are published', defaultBaseTopic)),
    discovery_prefix: Type.Optional(
      topic('Topic prefix at which Home Assistant looks for devices', defaultDiscoveryPrefix),
    ),
    allowed_commands: Type.Optional(commands),
    is_active: Type.Optional(
      Type.Boolean({ description: 'False: what was published is cleared, and the connection is given up' }),
    ),
  },
  { minProperties: 1 },
)
export type BrokerChanges = Static<typeof BrokerBody>

export const Broker = resource('MqttBroker', 'The MQTT broker that printers are published to', {
  id: nullable(
    Type.String({ description: 'Its ID; null until one is set up', examples: ['mqb_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  ),
  url: Type.String({
    description: 'Its address; empty until one is set up',
    examples: ['mqtts://broker.example.com:8883'],
  }),
  has_username: Type.Boolean({ description: 'Whether a user name is stored' }),
  has_password: Type.Boolean({ description: 'Whether a password is stored' }),
  has_ca: Type.Boolean({ description: 'Whether the certificate of an authority is stored' }),
  base_topic: topic('Below it states are published', defaultBaseTopic),
  discovery_prefix: topic('Topic prefix at which Home Assistant looks for devices', defaultDiscoveryPrefix),
  allowed_commands: commands,
  is_active: Type.Boolean({ description: 'Whether the service publishes to the broker' }),
  status: oneOf(['off', 'connecting', 'connected', 'failing'] as const, {
    description: '`failing`: the last connection came to nothing, or broke off',
  }),
  connected_since: nullable(timestamp('Since when it is connected; null while it is not')),
  failing_since: nullable(timestamp('Since when there is no connection; null unless it is failing')),
  problem: nullable(
    Type.String({
      description: 'Reason why there is no connection',
      examples: ['The broker refuses the user name or password.'],
    }),
  ),
})

export const BrokerTest = resource('MqttBrokerTest', 'Result of a test of the connection', {
  ok: Type.Boolean({ description: 'Whether the broker answers, and accepts the credentials' }),
  problem: nullable(
    Type.String({
      description: 'Error of the broker; null when the test passed',
      examples: ['The broker refuses the user name or password.'],
    }),
  ),
})

export const RemovedBroker = resource('RemovedMqttBroker', 'A broker that is published to no more', {
  deleted: Type.Boolean({ description: 'Always true' }),
})

/** @param settings what is stored of it; undefined when it cannot be opened */
export function presentBroker(row: BrokerRow | undefined, settings: BrokerSettings | undefined): Static<typeof Broker> {
  if (!row) {
    return {
      id: null,
      url: '',
      ...{ has_username: false, has_password: false, has_ca: false },
      base_topic: defaultBaseTopic,
      discovery_prefix: defaultDiscoveryPrefix,
      allowed_commands: [],
      is_active: false,
      status: 'off',
      ...{ connected_since: null, failing_since: null, problem: null },
    }
  }
  const { id, url: address, base_topic, discovery_prefix, allowed_commands, is_active, problem } = row
  return {
    id,
    url: address,
    has_username: settings?.username !== undefined,
    has_password: settings?.password !== undefined,
    has_ca: settings?.ca !== undefined,
    ...{ base_topic, discovery_prefix, allowed_commands, is_active, problem },
    status: statusOf(row),
    connected_since: row.connected_since?.toISOString() ?? null,
    failing_since: row.failing_since?.toISOString() ?? null,
  }
}

function statusOf({ is_active, connected_since, failing_since }: BrokerRow): Static<typeof Broker>['status'] {
  if (!is_active) return 'off'
  if (failing_since !== null) return 'failing'
  return connected_since === null ? 'connecting' : 'connected'
}
