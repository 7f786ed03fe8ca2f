import { t } from '../../lib/i18n/t.ts'
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
          title: t('Delete {name}?', { name: nameOf(material) }),
          body: t('Its movements go with it, and cannot be brought back.'),
          confirmLabel: t('Delete it'),
          isDangerous: true,
        },
        call: () => removeMaterial(kind, material.id),
        done: t('{name} is deleted', { name: nameOf(material) }),
        failed: t('{name} could not be deleted', { name: nameOf(material) }),
      }),
    takeOff: (spool: Material) =>
      perform({
        id: spool.id,
        call: () => changeMaterial('filament', spool.id, { printer_id: null }),
        done: t('{name} is off the printer', { name: nameOf(spool) }),
        failed: t('{name} could not be taken off', { name: nameOf(spool) }),
      }),
  }
}
