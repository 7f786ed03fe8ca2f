import type { LiveRule } from '../../../lib/live/live-rules.ts'

export const mqttLiveRules: readonly LiveRule[] = [
  { on: ['mqtt_broker.*'], keys: () => [['mqtt']] },
  { on: ['smart_plug.*'], keys: () => [['smart-plugs']] },
]
