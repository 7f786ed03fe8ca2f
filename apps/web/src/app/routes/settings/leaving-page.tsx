import { Anchor, Button, Group, List, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { downloadExport } from '../../../features/settings/leaving/download-export.ts'
import { exportCommand, importCommands } from '../../../features/settings/leaving/transfer-commands.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay, useSession } from '../../../lib/session.ts'
import { CopyLine } from '../../../ui/codes/copy-line.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { NoPermission } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'

const guide = '/docs/leaving-and-arriving'

const leftOut = [
  t('Credentials of printers; their addresses and serial numbers are in it'),
  t('API keys, passwords, passkeys and second factors'),
  t('Tokens of hubs: they join again by a new join code'),
  t('Webhooks, notification channels, automation rules, and connections to shops, Spoolman and Home Assistant'),
]

/** How an account is taken along, and brought into another service: by the browser, or by commands with the ID of this account in them. */
export function LeavingPage() {
  return useMay('owner') ? (
    <Transfers />
  ) : (
    <>
      <PageHeader title={t('Leave and arrive')} />
      <NoPermission />
    </>
  )
}

function Transfers() {
  const { account } = useSession()
  const [tried, done] = importCommands(account.id)
  return (
    <>
      <PageHeader
        title={t('Leave and arrive')}
        description={
          <Rich
            text="Your farm is yours. Download it here, or run the commands on the machine of the service, while it runs: <link>documentation of the commands</link>."
            values={{
              link: (words) => (
                <Anchor href={guide} underline="always">
                  {words}
                </Anchor>
              ),
            }}
          />
        }
      />
      <Stack>
        <Panel title={t('Leave: export everything')}>
          <Stack gap="sm">
            <Text size="sm">
              {t(
                'Writes all rows of this account as they were at one moment, tables for spreadsheets, and each print file and picture once. The archive appears whole or not at all.',
              )}
            </Text>
            <DownloadAll />
            <Text size="sm">{t('Or, on the machine of the service:')}</Text>
            <CopyLine value={exportCommand(account.id)} />
            <Text size="sm">
              {t('Keep it as safe as the farm: it holds names and addresses of customers. These are not in it:')}
            </Text>
            <List size="sm">
              {leftOut.map((words) => (
                <List.Item key={words}>{words}</List.Item>
              ))}
            </List>
          </Stack>
        </Panel>
        <Panel title={t('Arrive: import an export')}>
          <Stack gap="sm">
            <Text size="sm">
              {t(
                'Into this account, as long as it is empty: rows of two farms are never mixed. First try what would be; nothing is written.',
              )}
            </Text>
            <CopyLine value={tried} />
            <Text size="sm">
              {t(
                'Then import it. Either all records are written or none: refused ones are listed with their kind and line.',
              )}
            </Text>
            <CopyLine value={done} />
            <Text size="sm">
              {t(
                'Running prints are not printed again: people check the plates first. Afterwards let the hubs join, and enter the data that an export does not contain.',
              )}
            </Text>
          </Stack>
        </Panel>
      </Stack>
    </>
  )
}

function DownloadAll() {
  const download = useMutation({ mutationFn: downloadExport })
  return (
    <>
      <Group gap="sm">
        <Button
          leftSection={<Icon name="download" size={16} />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          {t('Download everything')}
        </Button>
        {download.data === true && (
          <Text size="sm" role="status">
            {t('The download has started. Your browser shows how far it is; one that breaks off is no export.')}
          </Text>
        )}
      </Group>
      <FormProblem problem={download.error ?? undefined} />
    </>
  )
}
