import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AccountForm } from '../../../features/settings/account/account-form.tsx'
import { OrderSettingsForm } from '../../../features/settings/account/order-settings-form.tsx'
import { describeHandling, producing } from '../../../features/settings/account/order-settings-texts.ts'
import { SchedulerForm } from '../../../features/settings/account/scheduler-form.tsx'
import { describeHours } from '../../../features/settings/account/scheduler-texts.ts'
import { UsageFacts } from '../../../features/settings/account/usage-facts.tsx'
import {
  accountQuery,
  orderSettingsQuery,
  schedulerSettingsQuery,
  usageQuery,
} from '../../../features/settings/settings.api.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Facts } from '../../../ui/lists/facts.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

export function AccountPage() {
  const account = useQuery(accountQuery())
  const scheduler = useQuery(schedulerSettingsQuery())
  const orders = useQuery(orderSettingsQuery())
  const mayChangeAccount = useMay('admin')
  const mayChange = useMay('write')
  return (
    <>
      <PageHeader title="Account" />
      <Stack>
        {mayChangeAccount && account.data?.mail_may_go_unencrypted && <MailWarning />}
        <Panel title="The farm">
          <QueryView query={account} failed="The account could not be read">
            {(data) =>
              mayChangeAccount ? (
                <AccountForm account={data} />
              ) : (
                <Facts
                  facts={[
                    ['Name', data.name],
                    ['Time zone', data.time_zone],
                    ['Second factor', data.require_second_factor ? 'is needed' : 'is up to each member'],
                    ['Rejected units', data.requeue_rejected_units ? 'are printed again' : 'are not printed again'],
                  ]}
                />
              )
            }
          </QueryView>
        </Panel>
        <Panel title="When jobs start by themselves">
          <QueryView query={scheduler} failed="The schedule could not be read">
            {(data) =>
              mayChange ? (
                <SchedulerForm settings={data} />
              ) : (
                <Facts
                  facts={[
                    ['Working hours', describeHours(data.working_hours)],
                    ['Heating at once', data.heating_at_once ?? 'any number'],
                    ['Between two starts', data.heating_gap_seconds === null ? '–' : `${data.heating_gap_seconds} s`],
                  ]}
                />
              )
            }
          </QueryView>
        </Panel>
        <Panel title="Orders">
          <QueryView query={orders} failed="The settings of orders could not be read">
            {(data) =>
              mayChange ? (
                <OrderSettingsForm settings={data} />
              ) : (
                <Facts
                  facts={[
                    ['Currency', data.currency],
                    ['To be shipped after', describeHandling(data)],
                    ['Queued by itself', producing.find(({ value }) => value === data.auto_produce)?.label ?? ''],
                  ]}
                />
              )
            }
          </QueryView>
        </Panel>
        {mayChangeAccount && <UsagePanel />}
      </Stack>
    </>
  )
}

function MailWarning() {
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />} title="Mail may go unencrypted">
      Links to new passwords can be read on the network. Use a mail server that takes TLS, and unset
      PRINTYARD_SMTP_PLAIN_TEXT.
    </Alert>
  )
}

function UsagePanel() {
  const usage = useQuery(usageQuery())
  return (
    <Panel title="What the account uses">
      <QueryView query={usage} failed="The usage could not be read">
        {(data) => <UsageFacts usage={data} />}
      </QueryView>
    </Panel>
  )
}
