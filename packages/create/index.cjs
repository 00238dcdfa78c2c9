#!/usr/bin/env node
// `npm create apidesc-platform my-api -- --database sqlite` is `apidesc-platform init my-api --database sqlite`.
'use strict';

const path = require('node:path');

process.argv.splice(2, 0, 'init');
require(path.join(path.dirname(require.resolve('apidesc-platform/package.json')), 'dist/cli.js'));
