import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useVirtualFarm, virtualPrinters } from '../../../features/add-printer/use-virtual-farm.ts'
import { useSampleFile } from '../../../features/files/use-sample-file.ts'
import { firstPrintQuery, hasFileQuery } from '../../../features/overview/overview.api.ts'
import type { LivePrinter, Overview } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import './first-steps.css'

interface FirstStepsProps {
  counts: Overview
  rows: readonly LivePrinter[]
}

/** What leads to the first print, with what is done of it. It goes once a print is done. */
export function FirstSteps({ counts, rows }: FirstStepsProps) {
  const mayWrite = useMay('write')
  const mayAddHub = useMay('admin')
  const isDone = useQuery(firstPrintQuery()).data
  const hasFile = useQuery(hasFileQuery()).data ?? false
  const sample = useSampleFile()
  const virtual = useVirtualFarm()
  if (isDone !== false) return null
  const hasHub = counts.hubs.total > 0
  const isHubOnline = counts.hubs.online > 0
  const isPlateClear = rows.some(({ plate_state }) => plate_state === 'clear')
  const isPrinting = counts.jobs.printing + counts.jobs.processing > 0
  const steps = [
    {
      label: t('Set up a hub, and start it'),
      isDone: isHubOnline,
      note: hasHub && !isHubOnline ? t('Your hub has been added, but is not connected yet.') : undefined,
      action: mayAddHub && (
        <LinkButton to="/hubs" size="xs" variant="light">
          {hasHub ? t('Look at the hub') : t('Set up a hub')}
        </LinkButton>
      ),
    },
    {
      label: t('Add printers'),
      isDone: rows.length > 0,
      note: t('The hub finds them on its network. Or try it with printers that it simulates.'),
      action: mayWrite && isHubOnline && (
        <>
          <LinkButton to="/printers" search={{ add: true }} size="xs" variant="light">
            {t('Add printers')}
          </LinkButton>
          <Button size="xs" variant="default" loading={virtual.isPending} onClick={() => virtual.mutate()}>
            {t('Try with {virtualPrinters} virtual printers', { virtualPrinters })}
          </Button>
        </>
      ),
    },
    {
      label: t('Look at a plate, and say that it is clear'),
      isDone: isPlateClear || isPrinting,
      note: t('Nothing prints before that.'),
      action: rows.length > 0 && (
        <LinkButton to="/printers" search={{ status: 'needs-person' }} size="xs" variant="light">
          {t('To the printers')}
        </LinkButton>
      ),
    },
    {
      label: t('Upload a sliced file'),
      isDone: hasFile,
      note: t('The sample is a square of 40 mm that prints in three minutes.'),
      action: mayWrite && (
        <>
          <LinkButton to="/files" size="xs" variant="light">
            {t('Upload a file')}
          </LinkButton>
          <Button size="xs" variant="default" loading={sample.isPending} onClick={() => sample.mutate()}>
            {t('Take the sample')}
          </Button>
        </>
      ),
    },
    {
      label: t('Print it'),
      isDone: false,
      note: isPrinting ? t('It prints now.') : undefined,
      action: hasFile && rows.length > 0 && !isPrinting && (
        <LinkButton to="/files" size="xs" variant="light">
          {t('Choose the file')}
        </LinkButton>
      ),
    },
  ]
  const next = steps.findIndex((step) => !step.isDone)
  return (
    <Panel title={t('Your first print')}>
      <ol className="first-steps" aria-label={t('Your first print')}>
        {steps.map(({ label, isDone: isStepDone, note, action }, index) => (
          <li key={label} data-done={isStepDone || undefined} data-next={index === next || undefined}>
            <Icon name={isStepDone ? 'check' : 'idle'} size={18} strokeWidth={2.2} />
            <div>
              <Text fw={index === next ? 650 : 400}>
                {label}
                {isStepDone && <span className="first-step-done">{t(' (done)')}</span>}
              </Text>
              {!isStepDone && note !== undefined && (
                <Text size="sm" c="dimmed">
                  {note}
                </Text>
              )}
              {index === next && action && (
                <Group gap="xs" mt={6}>
                  {action}
                </Group>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
