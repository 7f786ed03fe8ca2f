import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { BrokerDialog } from '../../../features/settings/mqtt/broker-form.tsx'
import { BrokerPanel } from '../../../features/settings/mqtt/broker-panel.tsx'
import { brokerQuery, plugsQuery } from '../../../features/settings/mqtt/mqtt.api.ts'
import { AddPlugDialog } from '../../../features/settings/mqtt/plug-form.tsx'
import { PlugTable } from '../../../features/settings/mqtt/plug-table.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { NoPermission } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { usePrinterOptions } from '../jobs/use-printer-options.ts'

export function HomeAssistantPage() {
  const maySee = useMay('admin')
  return (
    <>
      <PageHeader
        title={t('Home Assistant')}
        {...(maySee && {
          description: t(
            'Your printers in Home Assistant, and in everything else that reads MQTT: states, progress, and buttons where you allow them.',
          ),
        })}
      />
      {maySee ? <Connection /> : <NoPermission />}
    </>
  )
}

function Connection() {
  const broker = useQuery(brokerQuery())
  const [isSettingUp, { open, close }] = useDisclosure(false)
  return (
    <QueryView query={broker} failed={t('The broker could not be read')}>
      {(data) =>
        data.id === null ? (
          <>
            <EmptyState
              icon="home"
              title={t('No broker yet')}
              action={
                <Button data-adds onClick={open}>
                  {t('Set up a broker')}
                </Button>
              }
            >
              {t(
                'Home Assistant and Printyard meet at an MQTT broker, such as the Mosquitto add-on of Home Assistant.',
              )}
            </EmptyState>
            {isSettingUp && <BrokerDialog broker={data} onClose={close} />}
          </>
        ) : (
          <Stack>
            <BrokerPanel broker={data} />
            <Plugs />
          </Stack>
        )
      }
    </QueryView>
  )
}

function Plugs() {
  const plugs = useQuery(plugsQuery())
  const printers = usePrinterOptions()
  const [isAdding, { open, close }] = useDisclosure(false)
  return (
    <Panel title={t('Smart plugs')}>
      <QueryView query={plugs} failed={t('The smart plugs could not be read')}>
        {(data) => (
          <Stack>
            {data.plugs.length > 0 && <PlugTable plugs={data.plugs} />}
            <Group>
              <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={open}>
                {t('Add a smart plug')}
              </Button>
            </Group>
            {isAdding && (
              <AddPlugDialog
                printers={printers.filter(({ value }) => !data.plugs.some((plug) => plug.printer_id === value))}
                onClose={close}
              />
            )}
          </Stack>
        )}
      </QueryView>
    </Panel>
  )
}
