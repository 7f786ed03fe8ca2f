import { useActions } from '../../ui/dialogs/use-actions.ts'
import { type Material, type MaterialKind, nameOf } from './material-kinds.ts'
import { changeMaterial, removeMaterial } from './materials.api.ts'

/** What a person does with a material by one button. Each answers whether it was done. */
export function useMaterialActions(kind: MaterialKind) {
  const { busyId, perform } = useActions('materials', 'printers')
  return {
    busyId,
    remove: (material: Material) =>
      perform({
        id: material.id,
        question: {
          title: `Delete ${nameOf(material)}?`,
          body: 'Its movements go with it, and cannot be brought back.',
          confirmLabel: 'Delete it',
          isDangerous: true,
        },
        call: () => removeMaterial(kind, material.id),
        done: `${nameOf(material)} is deleted`,
        failed: `${nameOf(material)} could not be deleted`,
      }),
    takeOff: (spool: Material) =>
      perform({
        id: spool.id,
        call: () => changeMaterial('filament', spool.id, { printer_id: null }),
        done: `${nameOf(spool)} is off the printer`,
        failed: `${nameOf(spool)} could not be taken off`,
      }),
  }
}
