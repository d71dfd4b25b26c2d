// Everything: read, fit, refine, save, load, predict.
#pragma once

#include "coppice/compact.h"
#include "coppice/dataset.h"
#include "coppice/error.h"
#include "coppice/fit.h"
#include "coppice/leaf_ids.h"
#include "coppice/metrics.h"
#include "coppice/model.h"
#include "coppice/options.h"
#include "coppice/predict.h"
#include "coppice/query.h"
#include "coppice/read.h"
#include "coppice/refine.h"
#include "coppice/semi_supervised.h"
#include "coppice/toy_data.h"
#include "coppice/version.h"
