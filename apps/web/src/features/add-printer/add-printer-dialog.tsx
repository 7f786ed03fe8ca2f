import { Button, Divider, Group, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hubChoicesQuery } from '../../lib/api/shared-queries.ts'
import { t } from '../../lib/i18n/t.ts'
import { AddPrinterForm, type AddPrinterFormProps } from './add-printer-form.tsx'
import { CsvImport } from './csv-import.tsx'
import { type Found, FoundChoice } from './found-choice.tsx'
import { onlyHub } from './hub-input.tsx'
import './add-printer.css'

/**
 * Adds printers in one flow: what was found, else an address; tried; named. Several that were found are gone through one after
 * another, and a CSV adds many at once.
 */
export function AddPrinterDialog({ hub, found, onDone, onCancel }: AddPrinterFormProps) {
  const { data: all } = useQuery(hubChoicesQuery())
  const hubs = hub ? all?.filter(({ id }) => id === hub.id) : all
  const [queue, setQueue] = useState<readonly Found[]>([])
  const [total, setTotal] = useState(0)
  const [isCsv, setIsCsv] = useState(false)
  const next = queue[0]
  const title = found
    ? t('Adopt {name}', { name: found.name })
    : next
      ? t('Adopt {name}{place}', {
          name: next.printer.name,
          place: total > 1 ? t(' ({place} of {count})', { place: total - queue.length + 1, count: total }) : '',
        })
      : isCsv
        ? t('Add printers from a CSV')
        : t('Add a printer')
  const goOn = (printer: { id: string; name: string }) => {
    if (queue.length > 1) setQueue(queue.slice(1))
    else onDone(printer)
  }
  return (
    <Modal opened onClose={onCancel} title={title} size="xl">
      {next ? (
        <AddPrinterForm
          key={next.printer.id}
          hub={next.hub}
          found={next.printer}
          onDone={goOn}
          onCancel={() => (queue.length > 1 ? setQueue(queue.slice(1)) : onCancel())}
          cancelLabel={queue.length > 1 ? t('Skip this one') : undefined}
        />
      ) : isCsv ? (
        <CsvImport hubs={hubs} hub={hub ?? onlyHub(hubs ?? [])} onDone={onCancel} />
      ) : (
        <Stack>
          {!found && (
            <>
              <FoundChoice
                hubs={hubs ?? []}
                onChoose={(picked) => {
                  setQueue(picked)
                  setTotal(picked.length)
                }}
              />
              <Group justify="space-between" gap="xs">
                <Text size="sm" c="dimmed">
                  {t('A printer that is not found is added by its address.')}
                </Text>
                <Button size="xs" variant="default" onClick={() => setIsCsv(true)}>
                  {t('Several from a CSV')}
                </Button>
              </Group>
              <Divider />
            </>
          )}
          <AddPrinterForm {...(hub && { hub })} found={found} onDone={onDone} onCancel={onCancel} />
        </Stack>
      )}
    </Modal>
  )
}
