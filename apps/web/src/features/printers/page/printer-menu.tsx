import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import type { PrinterDetail } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useRemovePrinter } from '../controls/use-printer-commands.ts'
import { EditPrinterDialog } from './edit-printer-dialog.tsx'

/** Editing and removing one printer. */
export function PrinterMenu({ printer }: { printer: PrinterDetail }) {
  const { id, name } = printer
  const [isEditing, { open, close }] = useDisclosure(false)
  const { busyId, perform } = useActions()
  const navigate = useNavigate()
  const remove = useRemovePrinter(id)

  const askToRemove = async () => {
    const isRemoved = await perform({
      id,
      question: {
        title: t('Remove {name}?', { name }),
        body: t('This cannot be undone. A printer that has printed keeps its history: put it out of use instead.'),
        confirmLabel: t('Remove printer'),
        isDangerous: true,
      },
      call: () => remove.mutateAsync(),
      done: t('{name} is removed', { name }),
      failed: t('{name} was not removed', { name }),
    })
    if (isRemoved) void navigate({ to: '/printers' })
  }

  return (
    <Group gap="xs">
      <Button variant="default" leftSection={<Icon name="edit" size={16} />} onClick={open}>
        {t('Edit')}
      </Button>
      <Button
        variant="default"
        leftSection={<Icon name="trash" size={16} />}
        loading={busyId === id}
        onClick={() => void askToRemove()}
      >
        {t('Remove')}
      </Button>
      <EditPrinterDialog printerId={id} isOpen={isEditing} onClose={close} />
    </Group>
  )
}
