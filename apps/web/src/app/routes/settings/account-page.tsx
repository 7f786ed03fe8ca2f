import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AccountForm } from '../../../features/settings/account/account-form.tsx'
import { OrderSettingsForm } from '../../../features/settings/account/order-settings-form.tsx'
import { autoProduceOptions, describeHandling } from '../../../features/settings/account/order-settings-texts.ts'
import { SchedulerForm } from '../../../features/settings/account/scheduler-form.tsx'
import { describeHours } from '../../../features/settings/account/scheduler-texts.ts'
import { UsageFacts } from '../../../features/settings/account/usage-facts.tsx'
import {
  accountQuery,
  orderSettingsQuery,
  schedulerSettingsQuery,
  usageQuery,
} from '../../../features/settings/settings.api.ts'
import { t } from '../../../lib/i18n/t.ts'
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
      <PageHeader title={t('Account')} />
      <Stack>
        {mayChangeAccount && account.data?.mail_may_go_unencrypted && <MailWarning />}
        <Panel title={t('The farm')}>
          <QueryView query={account} failed={t('The account could not be read')}>
            {(data) =>
              mayChangeAccount ? (
                <AccountForm account={data} />
              ) : (
                <Facts
                  facts={[
                    [t('Name'), data.name],
                    [t('Time zone'), data.time_zone],
                    [t('Second factor'), data.require_second_factor ? t('is needed') : t('is up to each member')],
                    [
                      t('Rejected units'),
                      data.requeue_rejected_units ? t('are printed again') : t('are not printed again'),
                    ],
                  ]}
                />
              )
            }
          </QueryView>
        </Panel>
        <Panel title={t('Automatic start of jobs')}>
          <QueryView query={scheduler} failed={t('The schedule could not be read')}>
            {(data) =>
              mayChange ? (
                <SchedulerForm settings={data} />
              ) : (
                <Facts
                  facts={[
                    [t('Working hours'), describeHours(data.working_hours)],
                    [t('Heating at once'), data.heating_at_once ?? t('any number')],
                    [
                      t('Between two starts'),
                      data.heating_gap_seconds === null ? '–' : `${data.heating_gap_seconds} s`,
                    ],
                  ]}
                />
              )
            }
          </QueryView>
        </Panel>
        <Panel title={t('Orders')}>
          <QueryView query={orders} failed={t('The settings of orders could not be read')}>
            {(data) =>
              mayChange ? (
                <OrderSettingsForm settings={data} />
              ) : (
                <Facts
                  facts={[
                    [t('Currency'), data.currency],
                    [t('To be shipped after'), describeHandling(data)],
                    [
                      t('Automatic production for orders'),
                      autoProduceOptions.find(({ value }) => value === data.auto_produce)?.label,
                    ],
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
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />} title={t('Mail may go unencrypted')}>
      {t(
        'Links to new passwords can be read on the network. Use a mail server that takes TLS, and unset PRINTYARD_SMTP_PLAIN_TEXT.',
      )}
    </Alert>
  )
}

function UsagePanel() {
  const usage = useQuery(usageQuery())
  return (
    <Panel title={t('Usage of the account')}>
      <QueryView query={usage} failed={t('The usage could not be read')}>
        {(data) => <UsageFacts usage={data} />}
      </QueryView>
    </Panel>
  )
}
