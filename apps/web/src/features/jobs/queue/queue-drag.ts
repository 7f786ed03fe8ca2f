import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'

export type Edge = 'above' | 'below'

/**
 * Lets the rows of a list (elements with `data-job-id`) be dragged by their grip (`data-grip`) to above or below another
 * one. The row under the pointer shows where by `data-drop`. Answers what ends it.
 */
export function followDrags(list: HTMLElement, onDrop: (id: string, overId: string, edge: Edge) => void): () => void {
  const rows = [...list.querySelectorAll<HTMLElement>('[data-job-id]')]
  const unmark = () => {
    for (const row of rows) delete row.dataset.drop
  }
  const ends = rows.map((row) => {
    const id = row.dataset.jobId ?? ''
    const grip = row.querySelector('[data-grip]')
    return combine(
      draggable({
        element: row,
        ...(grip && { dragHandle: grip }),
        getInitialData: () => ({ jobId: id }),
        onDragStart: () => {
          row.dataset.dragging = 'true'
        },
        onDrop: () => {
          delete row.dataset.dragging
        },
      }),
      dropTargetForElements({
        element: row,
        canDrop: ({ source }) => typeof source.data.jobId === 'string' && source.data.jobId !== id,
        getData: ({ input, element }) => {
          const { top, height } = element.getBoundingClientRect()
          return { jobId: id, edge: input.clientY < top + height / 2 ? 'above' : 'below' }
        },
        getIsSticky: () => true,
        onDrag: ({ self }) => {
          unmark()
          row.dataset.drop = String(self.data.edge)
        },
        onDragLeave: unmark,
      }),
    )
  })
  const watch = monitorForElements({
    onDrop: ({ source, location }) => {
      unmark()
      const target = location.current.dropTargets[0]?.data
      if (!target) return
      onDrop(String(source.data.jobId), String(target.jobId), target.edge === 'above' ? 'above' : 'below')
    },
  })
  return combine(...ends, watch)
}
