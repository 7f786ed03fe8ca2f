import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import type { PrinterDetail } from '../../lib/api/api-schema.generated.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { Icon } from '../../ui/icon.tsx'
import { toastDone, toastFailed } from '../../ui/toast.tsx'
import { EditPrinterDialog } from './edit-printer-dialog.tsx'
import { useRemovePrinter } from './use-printer-commands.ts'

/** Editing and removing one printer. */
export function PrinterMenu({ printer }: { printer: PrinterDetail }) {
  const { id, name } = printer
  const [isEditing, { open, close }] = useDisclosure(false)
  const confirm = useConfirm()
  const navigate = useNavigate()
  const remove = useRemovePrinter(id)

  const askToRemove = async () => {
    const isSure = await confirm({
      title: `Remove ${name}?`,
      body: 'This cannot be undone. A printer that has printed keeps its history: put it out of use instead.',
      confirmLabel: 'Remove printer',
      isDangerous: true,
    })
    if (!isSure) return
    remove.mutate(undefined, {
      onSuccess: () => {
        toastDone(`${name} is removed`)
        void navigate({ to: '/printers' })
      },
      onError: (error) => toastFailed(`${name} was not removed`, error),
    })
  }

  return (
    <Group gap="xs">
      <Button variant="default" leftSection={<Icon name="edit" size={16} />} onClick={open}>
        Edit
      </Button>
      <Button
        variant="default"
        leftSection={<Icon name="trash" size={16} />}
        loading={remove.isPending}
        onClick={() => void askToRemove()}
      >
        Remove
      </Button>
      <EditPrinterDialog printerId={id} isOpen={isEditing} onClose={close} />
    </Group>
  )
}
