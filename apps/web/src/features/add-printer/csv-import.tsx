import { Alert, Anchor, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { problemText } from '../../lib/api/api-error.ts'
import { formatCount } from '../../lib/format.ts'
import { Rich } from '../../lib/i18n/rich.tsx'
import { serviceSentence } from '../../lib/i18n/service-sentence.ts'
import { t } from '../../lib/i18n/t.ts'
import { toastDone } from '../../ui/dialogs/toast.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { WorkProgress } from '../../ui/lists/work-progress.tsx'
import { useAddPrinter, useTestConnection } from './add-printer.api.ts'
import { type HubChoice, HubInput } from './hub-input.tsx'
import { csvColumns, type LineProblem, type PrinterLine, readPrinterCsv } from './printer-csv.ts'

const templateAddress = `data:text/csv;charset=utf-8,${encodeURIComponent(`${csvColumns.join(',')}\r\n`)}`

type Outcome = { kind: 'busy' | 'added' } | { kind: 'refused'; problem: string }

/** Printers that were tried, whatever came of it. */
const countOver = (outcomes: ReadonlyMap<number, Outcome>) =>
  [...outcomes.values()].filter(({ kind }) => kind !== 'busy').length

interface CsvImportProps {
  hubs: readonly HubChoice[] | undefined
  hub: HubChoice | undefined
  onDone: () => void
}

/** Adds the printers of a file, each tried before; what does not answer is told of and not added. */
export function CsvImport({ hubs, hub: usual, onDone }: CsvImportProps) {
  const [hubId, setHubId] = useState(usual?.id ?? null)
  const [read, setRead] = useState<{ printers: PrinterLine[]; problems: LineProblem[] }>()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map())
  const [isRunning, setIsRunning] = useState(false)
  const add = useAddPrinter()
  const test = useTestConnection()
  const hub = hubs?.find(({ id }) => id === hubId)

  async function addAll(printers: readonly PrinterLine[], of: HubChoice) {
    setIsRunning(true)
    let added = 0
    for (const printer of printers) {
      const tell = (outcome: Outcome) => setOutcomes((before) => new Map(before).set(printer.line, outcome))
      if (outcomes.get(printer.line)?.kind === 'added') continue
      tell({ kind: 'busy' })
      try {
        const connection = { connection_type: printer.type, connection: printer.connection }
        const tried = printer.type === 'virtual' ? undefined : await test.mutateAsync({ hubId: of.id, ...connection })
        if (tried?.problem) {
          tell({ kind: 'refused', problem: serviceSentence(`${tried.problem.message} ${tried.problem.remedy}`) })
          continue
        }
        await add.mutateAsync({
          ...{ name: printer.name, model: printer.model, location: printer.location, hub_id: of.id, auto_start: true },
          ...(printer.type === 'virtual' ? { connection_type: printer.type } : connection),
          ...(printer.nozzle !== undefined && { nozzle_size: printer.nozzle }),
        })
        added += 1
        tell({ kind: 'added' })
      } catch (error) {
        tell({ kind: 'refused', problem: problemText(error) })
      }
    }
    setIsRunning(false)
    if (added > 0)
      toastDone(
        t(
          '{added, plural, one {# printer} other {# printers}} added. Look at their plates and say that they are clear.',
          { added },
        ),
      )
    if (added === printers.length) onDone()
  }

  return (
    <Stack>
      <Text size="sm">
        <Rich
          text="One printer in each line, with the columns of the <link>template</link>"
          values={{
            link: (words) => (
              <Anchor href={templateAddress} download="printers.csv" size="sm">
                {words}
              </Anchor>
            ),
          }}
        />

        {t('. Each is tried before it is added.')}
      </Text>
      <HubInput hubs={hubs} value={hubId} onChange={setHubId} />
      <Group>
        <FileButton
          accept=".csv,text/csv"
          onChange={(file) => {
            setOutcomes(new Map())
            void file?.text().then((text) => setRead(readPrinterCsv(text)))
          }}
        >
          {(props) => (
            <Button {...props} variant="default" leftSection={<Icon name="upload" size={16} />}>
              {t('Choose a CSV file')}
            </Button>
          )}
        </FileButton>
        {read && read.printers.length > 0 && hub && (
          <Button loading={isRunning} onClick={() => void addAll(read.printers, hub)}>
            {t('Test and add {printers, plural, one {# printer} other {# printers}}', {
              printers: read.printers.length,
            })}
          </Button>
        )}
      </Group>
      {read && isRunning && (
        <WorkProgress done={countOver(outcomes)} total={read.printers.length} label={t('Printers of the file')}>
          {t('{done} of {total} printers tried', {
            done: formatCount(countOver(outcomes)),
            total: formatCount(read.printers.length),
          })}
        </WorkProgress>
      )}
      {hub && !hub.is_online && (
        <Text size="sm">{t('Nothing can be tried while {name} is offline.', { name: hub.name })}</Text>
      )}
      {read?.problems.map(({ line, name, problem }) => (
        <Alert
          key={line}
          color="yellow"
          variant="light"
          title={t('Line {line}{name}', { line, name: name === '' ? '' : `, ${name}` })}
        >
          {problem}
        </Alert>
      ))}
      {read && read.printers.length > 0 && (
        <ul className="plain-list" aria-label={t('Printers of the file')}>
          {read.printers.map((printer) => (
            <ListRow
              key={printer.line}
              title={
                <>
                  <Text span fw={600}>
                    {printer.name}
                  </Text>
                  <OutcomeBadge outcome={outcomes.get(printer.line)} />
                </>
              }
            >
              <Text size="sm" c="dimmed">
                {[printer.model, printer.location].filter(Boolean).join(' · ')}
              </Text>
              <OutcomeProblem outcome={outcomes.get(printer.line)} />
            </ListRow>
          ))}
        </ul>
      )}
    </Stack>
  )
}

function OutcomeBadge({ outcome }: { outcome: Outcome | undefined }) {
  if (outcome === undefined) return null
  if (outcome.kind === 'busy') return <StatusBadge tone="working">{t('Being tried')}</StatusBadge>
  return outcome.kind === 'added' ? (
    <StatusBadge tone="done">{t('Added')}</StatusBadge>
  ) : (
    <StatusBadge tone="trouble">{t('Not added')}</StatusBadge>
  )
}

function OutcomeProblem({ outcome }: { outcome: Outcome | undefined }) {
  return outcome?.kind === 'refused' ? <Text size="sm">{outcome.problem}</Text> : null
}
