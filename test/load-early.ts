// A provider begins to load these when it is made. A file that ends before they are there would leave a broken import in the
// cache of its worker, which the files behind it share.
import '../src/provider/first-call.js';
import '../src/fallback/fallback-call.js';
