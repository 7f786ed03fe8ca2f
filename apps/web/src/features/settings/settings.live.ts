import type { LiveRule } from '../../lib/live/live-rules.ts'

export const settingsLiveRules: readonly LiveRule[] = [
  { on: ['account.*'], keys: () => [['account'], ['scheduler'], ['session']] },
  { on: ['account.*', 'order_settings.updated'], keys: () => [['orders', 'settings']] },
  { on: ['member.*', 'invitation.*'], keys: () => [['members'], ['invitations'], ['session']] },
  { on: ['api_key.*'], keys: () => [['api-keys']] },
]
