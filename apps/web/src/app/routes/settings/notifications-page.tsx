import { Stack } from '@mantine/core'
import { ChannelsPanel } from '../../../features/settings/notifications/channels-panel.tsx'
import { DevicesPanel } from '../../../features/settings/notifications/devices-panel.tsx'
import { LogPanel } from '../../../features/settings/notifications/log-panel.tsx'
import { RulesPanel } from '../../../features/settings/notifications/rules-panel.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { useMemberNames } from '../use-member-names.ts'

/** Each member's own devices, and for those who run the account where and what it tells. */
export function NotificationsPage() {
  const isManager = useMay('admin')
  const memberNames = useMemberNames()
  return (
    <>
      <PageHeader title={t('Notifications')} description={t('Who is told when something needs a person, and where.')} />
      <Stack>
        <DevicesPanel />
        {isManager && (
          <>
            <RulesPanel memberNames={memberNames} />
            <ChannelsPanel memberNames={memberNames} />
            <LogPanel />
          </>
        )}
      </Stack>
    </>
  )
}
