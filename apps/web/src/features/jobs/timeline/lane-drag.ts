import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'

/**
 * Lets the bars of jobs that wait (elements with `data-job-id`) be dragged to another printer (elements with `data-printer-id`, lanes
 * and names of idle printers). What is under the pointer says so by `data-over`. Answers what ends it.
 */
export function followLaneDrags(timeline: HTMLElement, onDrop: (jobId: string, printerId: string) => void): () => void {
  const bars = [...timeline.querySelectorAll<HTMLElement>('[data-job-id]')].map((bar) =>
    draggable({
      element: bar,
      getInitialData: () => ({ jobId: bar.dataset.jobId, fromPrinterId: bar.dataset.fromPrinter }),
      onDragStart: () => {
        bar.dataset.dragging = 'true'
      },
    }),
  )
  // A new forecast may come while a hand still drags: the bar stays marked until it is let go, even where it is no longer one that waits.
  const rest = monitorForElements({
    onDrop: () => {
      for (const bar of timeline.querySelectorAll<HTMLElement>('[data-dragging]')) delete bar.dataset.dragging
    },
  })
  const printers = [...timeline.querySelectorAll<HTMLElement>('[data-printer-id]')].map((target) => {
    const printerId = target.dataset.printerId ?? ''
    const leave = () => {
      delete target.dataset.over
    }
    return dropTargetForElements({
      element: target,
      canDrop: ({ source }) => typeof source.data.jobId === 'string' && source.data.fromPrinterId !== printerId,
      onDragEnter: () => {
        target.dataset.over = 'true'
      },
      onDragLeave: leave,
      onDrop: ({ source }) => {
        leave()
        onDrop(String(source.data.jobId), printerId)
      },
    })
  })
  return combine(...bars, ...printers, rest)
}
