import { acts, manages, moreRows, type PageControls, reads, seldom } from './control.ts'

const printerList = [
  ...reads('Wall display', 'Search printers', 'Place', 'Model', 'Order', 'Cards', 'Table', 'Cameras'),
  // Printers change their state while one looks.
  ...reads(/^(Need a person|Printing|Idle|Paused|Error|Offline|Out of service) \d+$/).map(seldom),
  acts('Add printer', 'POST /hubs/{id}/test-connection', 'POST /printers'),
]

/** On cards alone: their size, and what they can be asked for now. */
const printerCards = [...reads('S', 'M', 'L'), seldom(acts(/^(Clear plate:|Resume) /, 'POST /printers/{id}/control'))]

const onePrinter = [
  ...reads('The day before', 'The day after'),
  moreRows,
  acts(/^(Pause|Resume)$/, 'POST /printers/{id}/control'),
  acts('Stop', 'POST /printers/{id}/control'),
  seldom(acts('Clear plate', 'POST /printers/{id}/control')),
  acts('Heaters', 'POST /printers/{id}/heaters'),
  seldom(acts('Filament', 'POST /printers/{id}/filament/load', 'POST /printers/{id}/filament/unload')),
  acts('Light on', 'POST /printers/{id}/light'),
  acts('Light off', 'POST /printers/{id}/light'),
  acts(/^(Take out of|Put back into) service$/, 'PUT /printers/{id}/maintenance'),
  acts('Edit', 'PATCH /printers/{id}'),
  seldom(acts('Trust the new certificate…', 'PATCH /printers/{id}')),
  acts('Remove', 'DELETE /printers/{id}'),
]

/** Printers, and the hubs that reach them. */
export const printerControls: PageControls = {
  '/printers': [
    { controls: [...printerList, ...printerCards] },
    { at: '/printers?as=cameras', controls: printerList },
    {
      at: '/printers?as=table',
      controls: [...printerList, acts(/^Select /, 'POST /printers/{id}/control', 'PATCH /printers/{id}')],
    },
  ],
  '/printers/wall': [{ within: 'body', controls: [] }],
  '/printers/$printerId': [{ controls: onePrinter }],
  '/hubs': [{ controls: [moreRows, manages('Add a hub', 'POST /hubs')] }],
  '/hubs/$hubId': [
    {
      controls: [
        acts(/^More about /),
        acts('Rename', 'PATCH /hubs/{id}'),
        manages(/^(Replace the token|Make a join code)$/, 'POST /hubs/{id}/join-code'),
        acts(/^Remove/, 'DELETE /hubs/{id}'),
        acts('Search now', 'POST /hubs/{id}/discover'),
        acts('Look at an address', 'POST /hubs/{id}/discover'),
        acts('Look there', 'POST /hubs/{id}/discover'),
        acts('Add a printer', 'POST /hubs/{id}/test-connection', 'POST /printers'),
        seldom(acts(/^Adopt /, 'POST /hubs/{id}/test-connection', 'POST /printers')),
      ],
    },
  ],
  '/s/$id': [
    { controls: onePrinter },
    {
      at: '/s/$tendedPrinterId',
      controls: [...reads('More about it', 'Scan the next', /^All about /), acts('Done', 'PUT /worklist/{id}/status')],
    },
  ],
}
