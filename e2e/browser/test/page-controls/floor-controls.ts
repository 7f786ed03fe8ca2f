import { acts, moreRows, owns, type PageControls, reads, seldom } from './control.ts'

const taskFilters = reads('All', 'Mine', 'Unassigned', 'Kind of task', 'Place')

/** They open all about a task. */
const taskTitles = reads(/^(Oil|Check|Fill up|Look at|Pick|Pack|Assemble) /, /^(Load|Clear) /)

const taskButtons = [
  acts(/^Begin( both| all \d+)?$/, 'PUT /worklist/{id}/status'),
  seldom(acts('Report the outcome', 'POST /jobs/{id}/resolve')),
  seldom(acts(/^(Plate is clear|Done|Some units are bad…)/, 'PUT /worklist/{id}/status')),
]

/** What people on the floor do: the worklist, labels and scanning. */
export const floorControls: PageControls = {
  '/worklist': [
    {
      controls: [
        ...reads('Scan'),
        acts('I am on shift'),
        acts(/^For \d+ hours$/, 'POST /shifts/switch'),
        ...taskFilters,
        moreRows,
        ...taskButtons,
        ...taskTitles,
        acts('New task', 'POST /worklist'),
        acts(/^Move “/),
        acts(/^(Pending|In progress|Done)$/, 'PUT /worklist/{id}/status'),
        acts('can be dragged', 'PUT /worklist/{id}/status'),
        acts('Details, assign, call off', 'PUT /worklist/{id}/assign'),
      ],
    },
    {
      isOnPhone: true,
      controls: [
        ...reads('Scan'),
        acts('I am on shift'),
        acts(/^For \d+ hours$/, 'POST /shifts/switch'),
        ...taskFilters,
        moreRows,
        ...taskButtons,
        ...taskTitles,
        acts('New task', 'POST /worklist'),
      ],
    },
    {
      at: '/worklist?task=$taskId',
      within: '[role="dialog"]',
      controls: [
        ...reads('Close'),
        acts('Begin', 'PUT /worklist/{id}/status'),
        acts('Done', 'PUT /worklist/{id}/status'),
        acts('Call off', 'PUT /worklist/{id}/status'),
        acts('Assignee', 'PUT /worklist/{id}/assign'),
      ],
    },
  ],
  '/labels': [
    {
      controls: reads(
        ...['Size', 'Print', 'Printers', 'Spools', 'Stock', 'Orders', 'Search', /^Take all \d+$/],
        ...[/^(North|South|Spare) \d+ \(/],
      ),
    },
  ],
  '/scan': [
    { controls: [...reads('Scanned code', 'Scan with the camera'), owns('Open', 'POST /materials/filament/scan')] },
  ],
}
