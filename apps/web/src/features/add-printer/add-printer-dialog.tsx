import { Modal } from '@mantine/core'
import { AddPrinterForm, type AddPrinterFormProps } from './add-printer-form.tsx'

/** Adds a printer by hand, or adopts one that a hub has found. */
export function AddPrinterDialog(props: AddPrinterFormProps) {
  const { found, onCancel } = props
  return (
    <Modal opened onClose={onCancel} title={found ? `Adopt ${found.name}` : 'Add a printer'} size="xl">
      <AddPrinterForm {...props} />
    </Modal>
  )
}
