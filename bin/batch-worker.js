'use strict';

// A thread of `dpcompose batch`: what composes is in the bundle of `compose`.

void require('./load.js').load(['compose']).batchWorker();
