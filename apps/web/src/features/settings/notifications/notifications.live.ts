import type { LiveRule } from '../../../lib/live/live-rules.ts'

export const notificationLiveRules: readonly LiveRule[] = [
  { on: ['notification_channel.*', 'notification_rule.*', 'push_device.*'], keys: () => [['notifications']] },
]
